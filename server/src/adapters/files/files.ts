import type { Readable } from 'node:stream'

/** A part of a file, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Where uploads are kept, under names made from their content: what is kept under a name never changes. */
export interface Files {
  /** Keeps the file that lies at `path`, which may be gone from there afterwards. */
  keep(name: string, path: string, mimeType: string): Promise<void>
  /** The content, or a part of it. Undefined when nothing is kept under this name. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>
  /** Does nothing when nothing is kept under this name. */
  remove(name: string): Promise<void>
  close(): Promise<void>
}

/** The store does not answer; later it may. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable'
}
