import type { TraceParent } from '../../base/traceparent.js'

export type Attributes = Readonly<Record<string, string | number | undefined>>

/** A piece of work that a trace shows. No name and no attribute holds what a caller sent, beyond ids. */
export interface NewSpan {
  readonly name: string
  readonly kind: 'server' | 'client' | 'consumer' | 'internal'
  readonly attributes?: Attributes
  /** Where a call that arrived belongs. Default: below what the running code belongs to, or a trace of its own. */
  readonly parent?: TraceParent | undefined
  /** What caused it earlier, in a trace of its own. */
  readonly link?: TraceParent | undefined
}

export interface Span {
  /** Names this span in the calls that it makes. */
  readonly traceparent: string
  /** Whether the collector gets it: not every trace is sampled. */
  readonly isSampled: boolean
  /** Runs work that belongs to the span, with everything that the work waits for. */
  within<T>(work: () => T): T
  /** Ends it; with the kind of the error if it failed, never its message. Does nothing the second time. */
  end(outcome?: { readonly attributes?: Attributes; readonly error?: string | undefined }): void
}

/** Tells a collector what this process does and how long that takes. Absent unless one is configured. */
export interface Traces {
  begin(span: NewSpan): Span
  /** The span that the running code belongs to, until it ends. */
  current(): Span | undefined
  /** Sends what waits, if the collector takes it soon. */
  close(): Promise<void>
}

/** Runs work as a span below the current one. Work that belongs to no trace begins none. */
export async function inSpan<T>(
  traces: Traces,
  describe: () => NewSpan,
  work: () => Promise<T>,
  attributesOf?: (result: T) => Attributes,
): Promise<T> {
  if (!traces.current()?.isSampled) return work()
  const span = traces.begin(describe())
  try {
    const result = await span.within(work)
    span.end({ attributes: attributesOf?.(result) ?? {} })
    return result
  } catch (error) {
    span.end({ error: errorName(error) })
    throw error
  }
}

/** What kind of error it is: a code such as ECONNREFUSED or an SQLSTATE, or the name of its class. */
function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && /^\w{1,40}$/.test(String(error.code)) ? String(error.code) : error.name
}
