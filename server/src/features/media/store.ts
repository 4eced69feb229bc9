import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import sql from 'sql-template-tag'
import { FilesUnavailable } from '../../adapters/files/files.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { mimeTypeOf } from './file-types.js'
import type { FileRow } from './queries.js'

type StoreDeps = Pick<Deps, 'db' | 'clock' | 'files'>

/** How long storing a file may take before it counts as abandoned. */
const UNFINISHED_MS = 60 * 60_000

/** A file that a call has stored. */
export interface StoredFile {
  readonly name: string
  readonly startedAt: Date
}

/**
 * Stores the file at `path`. Inserts its row first, so that the store never has a file without a row. Returns nothing when the
 * file was there already.
 */
export async function keepFile(
  { db, clock, files }: StoreDeps,
  path: string,
  file: FileRow,
): Promise<StoredFile | undefined> {
  const now = clock.now()
  const { isStored, isTakenDown } = await db.one<{ isStored: boolean; isTakenDown: boolean }>(sql`
    insert into file (name, type, size, width, height, duration, thumbnail_name, started_at)
    values (${file.name}, ${file.type}, ${file.size}, ${file.width}, ${file.height}, ${file.duration},
      ${file.thumbnail_name}, ${now})
    on conflict (name) do update set started_at = excluded.started_at
    returning stored_at is not null as "isStored", withheld is not null as "isTakenDown"`)
  if (isTakenDown) throw new Problem('TAKEN_DOWN', { message: 'A moderator has taken this file down.' })
  if (isStored) return undefined
  await files.keep(file.name, path, mimeTypeOf(file.name)).catch(throwNotReady)
  await db.run(sql`update file set stored_at = ${clock.now()} where name = ${file.name}`)
  return { name: file.name, startedAt: now }
}

/** Removes what a call has stored and nobody uses, unless another upload of the same content has begun since. */
export async function removeUnused({ db, files }: Pick<StoreDeps, 'db' | 'files'>, stored: readonly StoredFile[]) {
  for (const { name, startedAt } of stored)
    await db.transaction(async (db) => {
      const removed = await db.run(sql`
        delete from file where name = ${name} and started_at = ${startedAt}
          and not exists (select from upload where file_name = ${name})
          and not exists (select from file shown where shown.thumbnail_name = ${name})`)
      // Before the commit: a new upload of the same file waits for it.
      if (removed === 1) await files.remove(name)
    })
}

/** Records that an agent has uploaded a file. */
export async function addUpload(db: Db, { clock }: StoreDeps, agentId: string, name: string): Promise<void> {
  await db.run(sql`
    insert into upload (agent_id, file_name, created_at) values (${agentId}, ${name}, ${clock.now()})
    on conflict do nothing`)
}

/** Removes abandoned files from the store and from the table. */
export async function removeUnfinishedFiles({ db, clock, files }: StoreDeps): Promise<void> {
  const before = new Date(clock.now().getTime() - UNFINISHED_MS)
  await db.transaction(async (db) => {
    // Locked, so that a new upload of the same file waits until this one is removed.
    const rows = await db.many<Row<'file', 'name'>>(sql`
      select name from file where stored_at is null and started_at <= ${before}
      order by started_at limit 100 for update skip locked`)
    for (const { name } of rows) {
      await files.remove(name)
      await db.run(sql`delete from file where name = ${name}`)
    }
  })
}

/** SHA-256 of the file at `path`, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function throwNotReady(error: unknown): never {
  if (!(error instanceof FilesUnavailable)) throw error
  throw new Problem('NOT_READY', {
    message: 'Files cannot be stored right now. Try again in a moment.',
    retryAfterSeconds: 10,
  })
}
