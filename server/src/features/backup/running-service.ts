import { connect, type Socket } from 'node:net'
import { BackupError } from './backup-error.js'
import { type Answer, backupSocketPath, type Request } from './backup-socket.js'
import { readLines } from './lines.js'

/** The service that runs on the data folder, as the backup command uses it. */
export interface RunningService {
  /** Makes it write its buffers to disk, so that less changes while it is paused. */
  checkpoint(): Promise<void>
  /** Runs `work` while the database is paused. Returns how long that was, in milliseconds. */
  hold(mark: string, work: () => Promise<void>): Promise<number>
  close(): void
}

const ANSWER_WITHIN_MS = 60_000

/** Connects to the service that runs on a data folder; undefined when there is none. */
export async function findRunningService(dataDir: string, signal: AbortSignal): Promise<RunningService | undefined> {
  const socket = await open(backupSocketPath(dataDir))
  if (!socket) return undefined
  let waiting: ((answer: Answer) => void) | undefined
  readLines<Answer>(socket, (answer) => waiting?.(answer))
  const gone = new Promise<Answer>((done) =>
    socket.once('close', () => done({ is: 'failed', message: 'it stopped, or the copy took too long' })),
  )

  async function request<Is extends Answer['is']>(message: Request, expected: Is): Promise<Answer & { is: Is }> {
    const answered = new Promise<Answer>((done) => {
      waiting = done
    })
    socket?.write(`${JSON.stringify(message)}\n`)
    const answer = await withTimeout(Promise.race([answered, gone]), signal)
    if (answer.is === expected) return answer as Answer & { is: Is }
    throw new BackupError(
      `The service did not let its database be copied: ${answer.is === 'failed' ? answer.message : answer.is}.`,
    )
  }

  return {
    async checkpoint() {
      await request({ ask: 'checkpoint' }, 'written')
    },
    async hold(mark, work) {
      await request({ ask: 'hold', mark }, 'held')
      await work()
      return (await request({ ask: 'release' }, 'released')).heldMs
    },
    close: () => void socket.destroy(),
  }
}

function open(path: string): Promise<Socket | undefined> {
  return new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => done(socket.on('error', () => {})))
    socket.once('error', () => done(undefined))
  })
}

async function withTimeout<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let finish = () => {}
  const timeout = new Promise<never>((_, fail) => {
    const late = () => fail(new BackupError(`The service did not answer within ${ANSWER_WITHIN_MS / 1000} seconds.`))
    const timer = setTimeout(late, ANSWER_WITHIN_MS)
    const stop = () => fail(signal.reason)
    signal.addEventListener('abort', stop)
    finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  })
  return Promise.race([work, timeout]).finally(finish)
}
