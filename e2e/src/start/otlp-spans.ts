import type { ReceivedSpan } from './otlp-receiver.js'

interface Received {
  readonly spans: ReceivedSpan[]
  readonly resource: ReceivedSpan['attributes']
}

/** Reads what an exporter sends, as the protocol defines it (opentelemetry/proto/trace/v1/trace.proto). */
export function readSpans(body: Buffer, isJson: boolean): Received {
  return isJson ? readJson(JSON.parse(body.toString())) : readProtobuf(body)
}

interface JsonPair {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly doubleValue?: number }
}

interface JsonTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly JsonPair[] }
    readonly scopeSpans: readonly { readonly spans: readonly JsonSpan[] }[]
  }[]
}

interface JsonSpan extends Omit<ReceivedSpan, 'attributes' | 'links' | 'parentSpanId'> {
  readonly parentSpanId?: string
  readonly attributes: readonly JsonPair[]
  readonly links: readonly { readonly traceId: string }[]
}

function readJson({ resourceSpans }: JsonTraces): Received {
  const pairs = (attributes: readonly JsonPair[]) =>
    Object.fromEntries(
      attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
    )
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  return {
    spans: spans.map(({ traceId, spanId, parentSpanId = '', name, kind, attributes, links }) => ({
      ...{ traceId, spanId, parentSpanId, name, kind },
      attributes: pairs(attributes),
      links: links.map(({ traceId }) => traceId),
    })),
    resource: pairs(resourceSpans[0]?.resource.attributes ?? []),
  }
}

function readProtobuf(body: Buffer): Received {
  const resourceSpans = fieldsOf(body).get(1) ?? []
  const inside = (message: Buffer, field: number) => (fieldsOf(message).get(field) ?? []) as Buffer[]
  const pairs = (attributes: readonly Buffer[]) =>
    Object.fromEntries(
      attributes.map((pair) => [inside(pair, 1)[0]?.toString() ?? '', textOrNumber(inside(pair, 2)[0])]),
    )
  const all = resourceSpans as Buffer[]
  const spans = all.flatMap((part) => inside(part, 2)).flatMap((scope) => inside(scope, 2))
  return {
    spans: spans.map((span) => ({
      traceId: inside(span, 1)[0]?.toString('hex') ?? '',
      spanId: inside(span, 2)[0]?.toString('hex') ?? '',
      parentSpanId: inside(span, 4)[0]?.toString('hex') ?? '',
      name: inside(span, 5)[0]?.toString() ?? '',
      kind: Number(fieldsOf(span).get(6)?.[0]),
      attributes: pairs(inside(span, 9)),
      links: inside(span, 13).map((link) => inside(link, 1)[0]?.toString('hex') ?? ''),
    })),
    resource: pairs(all.flatMap((part) => inside(part, 1)).flatMap((resource) => inside(resource, 1))),
  }
}

function textOrNumber(value: Buffer | undefined): string | number {
  const fields = fieldsOf(value ?? Buffer.alloc(0))
  const text = fields.get(1)?.[0]
  return text === undefined ? Number(fields.get(3)?.[0]) : text.toString()
}

/** The fields of a message by their number: bytes for texts and messages, numbers for whole numbers. */
function fieldsOf(message: Buffer): Map<number, (Buffer | bigint)[]> {
  const fields = new Map<number, (Buffer | bigint)[]>()
  let at = 0
  const readWhole = () => {
    let whole = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0
      whole |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return whole
    }
  }
  const take = (length: number) => {
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = Number(readWhole())
    const [field, wire] = [tag >> 3, tag & 7]
    const value = wire === 0 ? readWhole() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(readWhole()))
    fields.set(field, [...(fields.get(field) ?? []), value])
  }
  return fields
}
