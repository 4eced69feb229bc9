/** What a caller says of the trace that its call belongs to (W3C Trace Context). */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/

export function readTraceParent(header: string | string[] | undefined): TraceParent | undefined {
  if (typeof header !== 'string' || header.length > 256) return undefined
  const [, traceId, spanId, flags = ''] = FORM.exec(header) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
