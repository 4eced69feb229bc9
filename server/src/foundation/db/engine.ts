import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { closeAll } from '../folder/private.js'
import type { EmbeddedProgram } from './embedded-program.js'
import { engineCode } from './engine-code.js'
import { isEmpty, placeImage } from './image.js'

// The engine touches all of its cache at the start. The system caches the files too, so a small cache costs little.
const SETTINGS = ['-c', 'shared_buffers=32MB']

// What PostgreSQL prints before it gives up: the level and the reason.
const COMPLAINT = /(?:PANIC|FATAL|ERROR): {2}(.+)/

/** Opens the database in a folder. An error carries the engine's own message. */
export async function openEngine(dataDir: string, program: EmbeddedProgram): Promise<PGlite> {
  // Without this file the engine would create a new database in the same place.
  const sign = join(dataDir, 'PG_VERSION')
  if (!existsSync(sign)) throw new Error(`${sign} is missing`)
  const engine = await startEngine(dataDir, program)
  // After a kill the engine recreates some files with permissions for others, whatever the umask.
  closeAll(dataDir)
  return engine
}

/**
 * Puts a database into an empty folder: a copy of the image, or one that the engine creates. It gets its final name only
 * when it is complete.
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

// A full disk and missing permissions are not damage.
function systemCode(error: unknown, why: string): string | undefined {
  return engineCode(error) ?? (/no space left/i.test(why) ? 'ENOSPC' : undefined)
}
