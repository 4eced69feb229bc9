import type { Readable } from 'node:stream'

/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** How long, and as what, a file can be read from the store itself. */
export interface LinkTerms {
  readonly from: Date
  readonly seconds: number
  readonly type: string
  readonly cacheControl: string
}

/** Lets callers read files from the store, past this service. */
export interface DirectReads {
  /** Where the URLs lead to. */
  readonly origin: string
  /** A URL that gives access to this file alone, for a while. */
  link(name: string, terms: LinkTerms): Promise<string>
}

/** Stores uploads under names derived from their content, so the content under a name never changes. */
export interface Files {
  /** Stores the file at `path`, and may move it away from there. */
  keep(name: string, path: string, mimeType: string): Promise<void>
  /** Returns the content or a range of it; undefined when nothing is stored under this name. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>
  /** Does nothing when nothing is stored under this name. */
  remove(name: string): Promise<void>
  /** Absent where callers read files through this service. */
  readonly direct?: DirectReads | undefined
  close(): Promise<void>
}

/** The store does not answer now, but may later. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable'
}
