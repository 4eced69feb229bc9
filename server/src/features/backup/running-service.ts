import { connect, type Socket } from 'node:net'
import { BackupError } from './backup-error.js'
import { type Answer, doorPath, type Request } from './door.js'
import { readLines } from './lines.js'

/** The service that has the data folder, as the maker of a backup sees it. */
export interface RunningService {
  /** Lets it write what it still has in memory, so that less is left to be done later. */
  checkpoint(): Promise<void>
  /** Runs `work` while the database stands still, and gives how long that was in milliseconds. */
  hold(mark: string, work: () => Promise<void>): Promise<number>
  close(): void
}

const ANSWER_WITHIN_MS = 60_000

/** Connects to the service that runs on a data folder; undefined where none listens. */
export async function findRunningService(dataDir: string, signal: AbortSignal): Promise<RunningService | undefined> {
  const socket = await open(doorPath(dataDir))
  if (!socket) return undefined
  let waiting: ((answer: Answer) => void) | undefined
  readLines<Answer>(socket, (answer) => waiting?.(answer))
  const gone = new Promise<Answer>((done) =>
    socket.once('close', () => done({ is: 'failed', message: 'it ended, or waited too long for the copy' })),
  )

  async function ask<Is extends Answer['is']>(request: Request, expected: Is): Promise<Answer & { is: Is }> {
    const answered = new Promise<Answer>((done) => {
      waiting = done
    })
    socket?.write(`${JSON.stringify(request)}\n`)
    const answer = await inTime(Promise.race([answered, gone]), signal)
    if (answer.is === expected) return answer as Answer & { is: Is }
    throw new BackupError(
      `The service did not let its database be copied: ${answer.is === 'failed' ? answer.message : answer.is}.`,
    )
  }

  return {
    async checkpoint() {
      await ask({ ask: 'checkpoint' }, 'written')
    },
    async hold(mark, work) {
      await ask({ ask: 'hold', mark }, 'held')
      await work()
      return (await ask({ ask: 'release' }, 'released')).heldMs
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

async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let finish = () => {}
  const given = new Promise<never>((_, fail) => {
    const late = () => fail(new BackupError(`The service did not answer within ${ANSWER_WITHIN_MS / 1000} seconds.`))
    const timer = setTimeout(late, ANSWER_WITHIN_MS)
    const stop = () => fail(signal.reason)
    signal.addEventListener('abort', stop)
    finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  })
  return Promise.race([work, given]).finally(finish)
}
