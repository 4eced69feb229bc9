import { connect, type Socket } from 'node:net'
import { AnswerReader } from './answer-reader.js'
import { Histogram } from './histogram.js'
import type { LoadResult, LoadTask } from './protocol.js'

const READ_BYTES = 64 * 1024
const CONNECT_WITHIN_MS = 10_000
/** How long an answer may take after the deadline. */
const LAST_ANSWER_MS = 60_000

/** Keeps one request in flight on every connection until the deadline. An unexpected answer ends the run. */
export async function runTask(task: LoadTask): Promise<LoadResult> {
  const requests = cut(task)
  const lanes = await openAll(task)
  const times = new Histogram()
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const deadline = startedAt + task.seconds * 1000
  let sent = 0
  let total = 0
  let endedAt = deadline

  function next(): Request | undefined {
    if (task.isOnce && sent === requests.length) {
      endedAt = Math.min(endedAt, performance.now())
      return undefined
    }
    return requests[sent++ % requests.length]
  }
  function note(microseconds: number, now: number): void {
    total++
    if (now <= deadline) times.add(microseconds)
  }
  const late = failAfter(task.seconds * 1000 + LAST_ANSWER_MS)
  try {
    await Promise.race([late.failure, Promise.all(lanes.map((lane) => lane.work(next, note, deadline)))])
  } finally {
    late.cancel()
    for (const lane of lanes) lane.close()
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    answered: times.total,
    seconds: (endedAt - startedAt) / 1000,
    total,
    p50: times.quantile(0.5) / 1000,
    p99: times.quantile(0.99) / 1000,
    cpuSeconds: (user + system) / 1e6,
  }
}

function failAfter(ms: number): { readonly failure: Promise<never>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  const failure = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('An answer is missing')), ms)
  })
  return { failure, cancel: () => clearTimeout(timer) }
}

interface Request {
  readonly bytes: Buffer
  readonly expectedStatus: number
}

function cut({ bytes, ends, statuses }: LoadTask): Request[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from(ends, (end, index) => ({
    bytes: all.subarray(index === 0 ? 0 : ends[index - 1], end),
    expectedStatus: statuses[index] ?? 200,
  }))
}

function openAll(task: LoadTask): Promise<Lane[]> {
  return Promise.all(Array.from({ length: task.connections }, () => openLane(task)))
}

interface Lane {
  work(
    next: () => Request | undefined,
    note: (microseconds: number, now: number) => void,
    deadline: number,
  ): Promise<void>
  close(): void
}

async function openLane({ host, port }: LoadTask): Promise<Lane> {
  const reader = new AnswerReader()
  let onBytes: (bytes: Buffer) => void = () => {}
  const socket = connect({
    host,
    port,
    noDelay: true,
    // One buffer for all reads: allocating one per read costs more than reading.
    onread: {
      buffer: Buffer.alloc(READ_BYTES),
      callback: (count: number, buffer: Uint8Array) => {
        onBytes((buffer as Buffer).subarray(0, count))
        return true
      },
    },
  })
  await waitForConnection(socket)
  return {
    work: (next, note, deadline) =>
      new Promise<void>((resolve, reject) => {
        let sentAt = 0
        let expectedStatus = 200
        const fail = (message: string) => reject(new Error(message))
        socket.once('error', (error) => fail(`The connection broke: ${error.message}`))
        socket.once('close', () => fail('The connection was closed'))
        function send(): void {
          const request = next()
          if (!request) {
            resolve()
            return
          }
          expectedStatus = request.expectedStatus
          reader.expect(expectedStatus)
          sentAt = performance.now()
          socket.write(request.bytes)
        }
        onBytes = (bytes) => {
          try {
            if (!reader.push(bytes)) return
          } catch (error) {
            return fail((error as Error).message)
          }
          if (reader.status !== expectedStatus)
            return fail(`The answer was ${reader.status}, not ${expectedStatus}: ${reader.beginning.slice(0, 300)}`)
          const now = performance.now()
          note((now - sentAt) * 1000, now)
          if (now < deadline) send()
          else resolve()
        }
        send()
      }),
    close: () => socket.destroy(),
  }
}

function waitForConnection(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('No connection could be made')), CONNECT_WITHIN_MS)
    socket.once('error', reject)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', reject)
      resolve()
    })
  })
}
