import type { Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { createFatalErrorReader } from './fatal-error.js'

const SSL_REQUEST = 80_877_103
const STARTUP_HEADER = 8
const FRAME_HEADER = 5
const QUERY = 0x51
const SYNC = 0x53
const FLUSH = 0x48
const TERMINATE = 0x58

/**
 * Lets one client speak PostgreSQL's wire protocol with the embedded engine. Messages are passed on in the batches that
 * the client ends with a Sync, because after an error the engine sends "ready" at the end of its input: given message by
 * message, it would send "ready" twice, and the client would match the next answer to the wrong query.
 */
export function bridge(database: PGlite, socket: Socket, onBreakdown: (error: Error) => void): void {
  let received: Buffer = Buffer.alloc(0)
  let batch: Buffer[] = []
  let started = false
  let work: Promise<unknown> = Promise.resolve()
  const readFatalError = createFatalErrorReader()

  function pass(data: Uint8Array): void {
    socket.write(Buffer.from(data))
    const fatal = readFatalError(data)
    if (fatal !== undefined) onBreakdown(new Error(fatal))
  }

  function execute(message: Uint8Array): void {
    work = work
      .then(() => database.runExclusive(() => database.execProtocolRawStream(message, { onRawData: pass })))
      .catch((error: Error) => {
        socket.destroy(error)
        onBreakdown(error)
      })
  }

  function take(length: number): Buffer {
    const part = received.subarray(0, length)
    received = received.subarray(length)
    return part
  }

  /** Returns false when more bytes are needed. */
  function readStartup(): boolean {
    if (received.length < STARTUP_HEADER || received.length < received.readInt32BE(0)) return false
    const packet = take(received.readInt32BE(0))
    if (packet.readInt32BE(4) === SSL_REQUEST) {
      socket.write('N')
      return true
    }
    started = true
    execute(packet)
    return true
  }

  function readFrame(): boolean {
    if (received.length < FRAME_HEADER) return false
    const length = 1 + received.readInt32BE(1)
    if (received.length < length) return false
    const frame = take(length)
    if (frame[0] === TERMINATE) {
      socket.end()
      return true
    }
    batch.push(frame)
    if (frame[0] === SYNC || frame[0] === QUERY || frame[0] === FLUSH) {
      execute(Buffer.concat(batch))
      batch = []
    }
    return true
  }

  socket.setNoDelay(true)
  socket.on('data', (data) => {
    received = received.length === 0 ? data : Buffer.concat([received, data])
    while (received.length > 0 && (started ? readFrame() : readStartup()));
  })
  socket.on('error', () => {})
  // The engine has one session; the next client must not find what this one left in it.
  socket.on('close', () => {
    work = work.then(() => database.exec('rollback; deallocate all')).catch(() => {})
  })
}
