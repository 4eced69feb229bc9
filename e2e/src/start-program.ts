import { cpSync, existsSync, lstatSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, type ProgramOptions, startProgram as start } from '@rookery/tooling/start-program'
import { inject } from 'vitest'

export type { Program }

const PAGE = fileURLToPath(new URL('../../web/dist/index.html', import.meta.url))
const READY_WITHIN_MS = 100_000

/** Starts the compiled program, by default on a copy of a folder that was set up before. */
export async function startProgram({
  env = {},
  dataDir,
  ...how
}: Pick<ProgramOptions, 'env' | 'dataDir' | 'node' | 'script'> = {}): Promise<Program> {
  if (!existsSync(PAGE)) throw new Error('The page is not built: run npm run build.')
  if (dataDir !== undefined) return start({ env, dataDir, ...how, readyWithinMs: READY_WITHIN_MS })
  if (env.DATABASE_URL !== undefined) return start({ env, ...how, readyWithinMs: READY_WITHIN_MS })
  const copy = await copyTemplate()
  const remove = () => rm(copy, { recursive: true, force: true })
  const program = await start({ env, dataDir: copy, ...how, readyWithinMs: READY_WITHIN_MS }).catch(
    async (error: unknown) => {
      await remove()
      throw error
    },
  )
  return {
    ...program,
    async stop() {
      const code = await program.stop()
      await remove()
      return code
    },
    async kill() {
      await program.kill()
      await remove()
    },
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
