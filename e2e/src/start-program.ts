import { cpSync, existsSync, lstatSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, type ProgramOptions, startProgram as start } from '@rookery/tooling/start-program'
import { inject } from 'vitest'
import { shapesIn, shapesInFolder } from './secrets/shapes.js'

export type { Program }

const PAGE = fileURLToPath(new URL('../../web/dist/index.html', import.meta.url))
const READY_WITHIN_MS = 100_000

/**
 * Starts the compiled program, by default on a copy of a folder that was set up before. When it has ended, nothing that
 * it printed, measured or stored may have the form of a credential.
 */
export async function startProgram({
  env = {},
  dataDir,
  ...how
}: Pick<ProgramOptions, 'env' | 'dataDir' | 'node' | 'script' | 'checkout' | 'account'> = {}): Promise<Program> {
  if (!existsSync(PAGE)) throw new Error('The page is not built: run npm run build.')
  const hasOwnFolder = dataDir === undefined && env.DATABASE_URL === undefined
  const folder = hasOwnFolder ? await copyTemplate() : dataDir
  const remove = async () => hasOwnFolder && folder && rm(folder, { recursive: true, force: true })
  const startedAt = Date.now()
  const options = {
    env,
    ...(folder !== undefined && { dataDir: folder }),
    ...how,
    readyWithinMs: READY_WITHIN_MS,
  }
  const program = await start(options).catch(async (error: unknown) => {
    await remove()
    throw error
  })

  function requireNoSecrets(metrics: string): void {
    const found = [
      ...shapesIn(program.output()).map((what) => `${what} in the log`),
      ...shapesIn(metrics).map((what) => `${what} in the metrics`),
      ...(folder === undefined ? [] : shapesInFolder(folder, startedAt)),
    ]
    if (found.length > 0) throw new Error(`The program let out ${found.join(', ')}.`)
  }

  return {
    ...program,
    async stop() {
      const metrics = await readMetrics(program.url)
      const code = await program.stop()
      requireNoSecrets(metrics)
      await remove()
      return code
    },
    async kill() {
      await program.kill()
      requireNoSecrets('')
      await remove()
    },
  }
}

/** The metrics of a program that answers; a worker has no address, and a test may have stopped it already. */
async function readMetrics(url: string): Promise<string> {
  if (url === '') return ''
  try {
    return await (await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) })).text()
  } catch {
    return ''
  }
}

/** Copies the prepared folder, for a test that starts the program on it several times. */
export async function copyTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-e2e-'))
  // Skips the lock: it is a socket, which cannot be copied and would mean nothing here.
  const filter = (file: string) => !lstatSync(file).isSocket()
  cpSync(inject('template'), folder, { recursive: true, filter })
  return folder
}
