import { startProgram } from '@rookery/tooling/start-program'

/** The service under attack. */
export interface Target {
  readonly url: string
  /** Resolves when it has ended by itself. */
  readonly ended: Promise<unknown>
  /** What the attack has left behind: lines of failures in its log, bad health, its end. */
  inspect(): Promise<string[]>
  stop(): Promise<void>
}

const READY_WITHIN_MS = 120_000
const MOST_LINES = 10

/** Starts the service on an empty folder without limits, or takes one that runs. */
export async function startTarget(url: string): Promise<Target> {
  if (url !== '')
    return {
      url: url.replace(/\/$/, ''),
      ended: new Promise(() => {}),
      inspect: () => checkHealth(url),
      stop: async () => {},
    }
  const program = await startProgram({
    env: { UPLOAD_MB_PER_DAY: '0', STREAMS_PER_CALLER: '0' },
    detached: true,
    readyWithinMs: READY_WITHIN_MS,
  })
  let code: number | null | undefined
  void program.ended.then((ended) => {
    code = ended
  })
  return {
    url: program.url,
    ended: program.ended,
    async inspect() {
      if (code !== undefined)
        return [`The service has ended with ${code}. Its last lines:`, ...lastLines(program.output())]
      return [...(await checkHealth(program.url)), ...listFailures(program.output())]
    },
    async stop() {
      if (code === undefined) await program.stop()
    },
  }
}

function lastLines(text: string): string[] {
  return text.trimEnd().split('\n').slice(-MOST_LINES)
}

async function checkHealth(url: string): Promise<string[]> {
  const response = await fetch(`${url}/v1/health`)
  return response.ok ? [] : [`Health is ${response.status}: ${await response.text()}`]
}

const ERROR_LEVEL = 50

/** Lines of the log that say that something failed, or that an endpoint does not declare its error. */
function listFailures(log: string): string[] {
  const lines = log.split('\n').filter((line) => {
    if (line.includes('an endpoint does not declare its error')) return true
    const level = /^\{"level":(\d+)/.exec(line)?.[1]
    return level !== undefined && Number(level) >= ERROR_LEVEL
  })
  return lines.slice(0, MOST_LINES).map((line) => `The log says: ${line}`)
}
