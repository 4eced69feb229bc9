import { setTimeout as wait } from 'node:timers/promises'
import type { Program } from '@rookery/tooling/start-program'
import type { Findings } from './findings.js'

/** A program that is restarted whenever it ends, as systemd does. */
export interface Supervised {
  readonly name: string
  /** Undefined while it is not ready. */
  readonly pid: number | undefined
  readonly isUp: boolean
  kill(): void
  signal(name: NodeJS.Signals): void
  /** Stops the program for good. */
  stop(): Promise<void>
}

const AGAIN_AFTER_MS = 250
const LAST_LINES = 6

/** Starts the program and waits until it is ready for the first time. */
export async function supervise(
  name: string,
  startProgram: () => Promise<Program>,
  findings: Findings,
): Promise<Supervised> {
  let program: Program | undefined
  let isStopping = false
  let isKilled = false

  function watch(started: Program): void {
    program = started
    isKilled = false
    void started.ended.then((code) => {
      program = undefined
      if (isStopping) return
      if (!isKilled) findings.add(`${name} ended by itself with code ${code}. Its last lines:\n${lastLines(started)}`)
      void startAgain()
    })
  }

  async function startAgain(): Promise<void> {
    while (!isStopping) {
      await wait(AGAIN_AFTER_MS)
      const started = await startProgram().catch((error: Error) => {
        // Without its database or chain the program may give up; keep trying.
        findings.note(`${name} could not start: ${firstComplaint(error.message)}`)
        return undefined
      })
      if (started && isStopping) return started.kill()
      if (started) return watch(started)
    }
  }

  watch(await startProgram())
  return {
    name,
    get pid() {
      return program?.pid
    },
    get isUp() {
      return program !== undefined
    },
    kill() {
      isKilled = true
      const running = program
      // Not up from now on, so that nobody mistakes the old process for the new one.
      program = undefined
      if (running) process.kill(running.pid, 'SIGKILL')
    },
    signal: (signal) => void (program && process.kill(program.pid, signal)),
    async stop() {
      isStopping = true
      const running = program
      if (!running) return
      const code = await running.stop()
      if (code !== 0) findings.add(`${name} stopped with code ${code}. Its last lines:\n${lastLines(running)}`)
    },
  }
}

/** The last lines of output, without stack frames. */
function lastLines({ output }: Program): string {
  return output()
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*(at |\[\.\.\. lines)/.test(line))
    .slice(-LAST_LINES)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n')
}

function firstComplaint(message: string): string {
  const line = message.split('\n').find((line) => /error|cannot|fail/i.test(line) && !line.startsWith('The service'))
  return (line ?? message.split('\n')[0] ?? '').trim().slice(0, 160)
}
