import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { run } from '../src/run.js'
import type { Terminal } from '../src/terminal.js'

/** A terminal that remembers what it was told. */
export interface TestTerminal extends Terminal {
  written: string
  noted: string
}

export function createTerminal(given: Partial<Terminal> & { input?: string } = {}): TestTerminal {
  const terminal: TestTerminal = {
    env: { HOME: temporaryFolder() },
    isInteractive: false,
    drawsProgress: false,
    columns: Number.POSITIVE_INFINITY,
    readInput: async () => given.input ?? '',
    ask: async () => undefined,
    onInterrupt: () => () => {},
    endWith: () => {},
    ...given,
    written: '',
    noted: '',
    write: (text) => {
      terminal.written += text
    },
    note: (text) => {
      terminal.noted += text
    },
  }
  return terminal
}

const base = mkdtempSync(join(tmpdir(), 'rookery-cli-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** A folder that is gone when the tests of this file have ended. */
export function temporaryFolder(): string {
  return mkdtempSync(join(base, 'test-'))
}

/** Runs a command line in this process. */
export async function runHere(
  words: readonly string[],
  given: Parameters<typeof createTerminal>[0] = {},
): Promise<{ exitCode: number; out: string; err: string }> {
  const terminal = createTerminal(given)
  const exitCode = await run(terminal, words)
  return { exitCode, out: terminal.written, err: terminal.noted }
}
