import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { closeAll } from '../folder/private.js'
import type { EmbeddedProgram } from './embedded-program.js'
import { engineCode } from './engine-code.js'
import { isEmpty, placeImage } from './image.js'

// The engine touches all of its cache at once. The files are in the cache of the system too, so little is lost.
const SETTINGS = ['-c', 'shared_buffers=32MB']

// What PostgreSQL says before it gives up: the level, and the reason.
const COMPLAINT = /(?:PANIC|FATAL|ERROR): {2}(.+)/

/** Opens the database in a folder. Fails with what the engine said about it. */
export async function openEngine(dataDir: string, program: EmbeddedProgram): Promise<PGlite> {
  // Without this file the engine would make a new database in the same place.
  const sign = join(dataDir, 'PG_VERSION')
  if (!existsSync(sign)) throw new Error(`${sign} is missing`)
  const engine = await startEngine(dataDir, program)
  // Some files that it makes anew, as after a kill, it opens to others, whatever the process allows.
  closeAll(dataDir)
  return engine
}

/**
 * Makes sure that a folder without anything in it has a database: a copy of the image, or one that the engine makes. It gets
 * its name when it is complete.
 */
export async function placeDatabase(
  image: string | undefined,
  dataDir: string,
  program: EmbeddedProgram,
): Promise<void> {
  placeImage(image, dataDir)
  if (!isEmpty(dataDir)) return
  const made = `${dataDir}.new`
  mkdirSync(made, { recursive: true, mode: 0o700 })
  await (await startEngine(made, program)).close()
  closeAll(made)
  rmSync(dataDir, { recursive: true, force: true })
  renameSync(made, dataDir)
}

async function startEngine(dataDir: string, program: EmbeddedProgram): Promise<PGlite> {
  const complaints: string[] = []
  try {
    return await PGlite.create({
      dataDir,
      extensions: { vector },
      pgliteWasmModule: program,
      startParams: [...PGlite.defaultStartParams, ...SETTINGS],
      onStderr(line) {
        const [, complaint] = COMPLAINT.exec(line) ?? []
        if (complaint) complaints.push(complaint)
        return false
      },
    })
  } catch (error) {
    const why = complaints.at(-1) ?? (error instanceof Error ? error.message : String(error))
    throw Object.assign(new Error(`the engine cannot open it (${why})`), { code: systemCode(error, why) })
  }
}

// A disk that is full and files that may not be written are no damage.
function systemCode(error: unknown, why: string): string | undefined {
  return engineCode(error) ?? (/no space left/i.test(why) ? 'ENOSPC' : undefined)
}
