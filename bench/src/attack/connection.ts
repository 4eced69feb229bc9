import { connect, type Socket } from 'node:net'

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** The body has no end, or the connection is no longer HTTP. */
  readonly isStream: boolean
}

export type Ending = WireAnswer | 'closed' | 'silent' | 'garbled'

export interface Exchange {
  readonly method: string
  readonly isCut: boolean
  readonly withinMs: number
  readonly signal?: AbortSignal
  /** Sends the bytes from `at` on when `work` is done. */
  readonly pause?: { readonly at: number; work(): Promise<void> }
}

const HEAD_END = '\r\n\r\n'

/** Sends bytes as they are on a new connection, and reads one answer. */
export function exchange(
  { host, port }: { host: string; port: number },
  bytes: Buffer,
  { method, isCut, withinMs, signal, pause }: Exchange,
): Promise<Ending> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true })
    let received: Buffer = Buffer.alloc(0)
    const timer = setTimeout(() => end('silent'), withinMs)
    const onAbort = () => end('closed')
    signal?.addEventListener('abort', onAbort, { once: true })

    function end(ending: Ending): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      discard(socket)
      resolve(ending)
    }

    async function sendInTwo({ at, work }: NonNullable<Exchange['pause']>): Promise<void> {
      socket.write(bytes.subarray(0, at))
      await work()
      if (!socket.destroyed) socket.write(bytes.subarray(at))
    }

    socket.on('connect', () => (pause ? sendInTwo(pause) : isCut ? socket.end(bytes) : socket.write(bytes)))
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const answer = readAnswer(received, method, false)
      if (answer !== undefined) end(answer)
    })
    // The service may close while the rest of a refused body is still under way; what it answered counts.
    socket.on('error', () => end(readAnswer(received, method, true) ?? 'closed'))
    socket.on('end', () => end(readAnswer(received, method, true) ?? (received.length > 0 ? 'garbled' : 'closed')))
  })
}

// A reset leaves no port behind that waits for a minute; there would be none left after thirty thousand.
function discard(socket: Socket): void {
  socket.removeAllListeners()
  socket.on('error', () => {})
  socket.resetAndDestroy()
}

/** Reads an answer once it is complete. */
export function readAnswer(received: Buffer, method: string, isEnd: boolean): WireAnswer | 'garbled' | undefined {
  const split = received.indexOf(HEAD_END)
  if (split === -1) return undefined
  const [first = '', ...lines] = received.toString('latin1', 0, split).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
  if (!Number.isInteger(status)) return 'garbled'
  const rest = received.subarray(split + HEAD_END.length)
  if (status === 100) return readAnswer(rest, method, isEnd)
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
    }),
  )
  const answer = (body: Buffer, isStream = false): WireAnswer => ({ status, headers, body, isStream })
  if (status === 101 || headers.get('content-type')?.startsWith('text/event-stream')) return answer(rest, true)
  if (method === 'HEAD' || status === 204 || status === 304) return answer(Buffer.alloc(0))
  if (headers.get('transfer-encoding') === 'chunked') {
    const body = readChunks(rest)
    return body === undefined ? undefined : answer(body)
  }
  const length = headers.get('content-length')
  if (length === undefined) return isEnd ? answer(rest) : undefined
  return rest.length >= Number(length) ? answer(rest.subarray(0, Number(length))) : undefined
}

function readChunks(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (size === 0) return Buffer.concat(chunks)
    const end = line + 2 + size
    if (!(end + 2 <= bytes.length)) return undefined
    chunks.push(bytes.subarray(line + 2, end))
    at = end + 2
  }
}
