import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { readSpans } from './otlp-spans.js'

/** A span as the collector reads it. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, string | number>>
  /** The trace ids of what it is linked to. */
  readonly links: readonly string[]
}

/** A collector that keeps what it gets. */
export interface OtlpReceiver {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** What every span says of the service that it comes from. */
  resource: Readonly<Record<string, string | number>>
  /** Everything received, unpacked. */
  bytes(): Buffer
  readonly headers: IncomingHttpHeaders[]
  /** A frozen collector takes what it gets and does not answer. */
  freeze(): void
  thaw(): void
  /** How many calls wait for its answer. */
  held(): number
  stop(): Promise<void>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: Buffer[] = []
  const held: ServerResponse[] = []
  let isFrozen = false
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    if (isFrozen) return void held.push(response)
    const unpacked = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    const read = readSpans(unpacked, request.headers['content-type'] === 'application/json')
    bodies.push(unpacked)
    receiver.headers.push(request.headers)
    receiver.spans.push(...read.spans)
    receiver.resource = read.resource
    response.writeHead(request.url === '/v1/traces' ? 200 : 404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${port}`,
    spans: [],
    resource: {},
    headers: [],
    bytes: () => Buffer.concat(bodies),
    freeze() {
      isFrozen = true
    },
    thaw() {
      isFrozen = false
      for (const response of held.splice(0)) response.destroy()
    },
    held: () => held.length,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
