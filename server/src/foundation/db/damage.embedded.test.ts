import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createCheapEmbedder, embeddersOf } from '../../../test/cheap-embedder.js'
import { ConfigError } from '../../base/config-error.js'
import { readConfig } from '../../config/config.js'
import { openDeps } from '../../start/open-deps.js'
import { damagedAtPath } from '../folder/refusals.js'
import { openEmbedded } from './connect.js'

let folder: string
let dataDir: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rookery-damage-'))
  dataDir = join(folder, 'database')
  cpSync(inject('template'), dataDir, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function overwrite(file: string, bytes: Buffer, position = 0): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.write(bytes, 0, bytes.length, position)
  await handle.close()
}

function eachLog(damage: (file: string) => void): void {
  for (const name of readdirSync(join(dataDir, 'pg_wal')))
    if (/^[0-9A-F]{24}$/.test(name)) damage(join(dataDir, 'pg_wal', name))
}

/** The message that the operator gets. */
async function refusal(open: () => Promise<{ close(): Promise<void> }>): Promise<string> {
  const error = await open().then(
    async (opened) => {
      await opened.close()
      return new Error('it opened')
    },
    (error: Error) => error,
  )
  expect(error).toBeInstanceOf(ConfigError)
  expect(error.message).toContain(`The database in ${dataDir} cannot be used: `)
  expect(error.message).toMatch(/It is left as it is\. Restore .* from a backup\. To begin anew/)
  expect(error.message).not.toMatch(/\n|Aborted|unreachable/)
  return error.message
}

describe('an embedded database that is damaged', () => {
  const control = () => join(dataDir, 'global/pg_control')
  const damages: [string, () => Promise<void> | void, RegExp][] = [
    ['has no PG_VERSION', () => rmSync(join(dataDir, 'PG_VERSION')), /PG_VERSION is missing/],
    ['has bits flipped in pg_control', () => overwrite(control(), Buffer.alloc(64, 0xff), 40), /incorrect checksum/],
    ['has no pg_control', () => rmSync(control()), /could not open file "global\/pg_control"/],
    ['has a truncated log', () => eachLog((file) => truncateSync(file, 100)), /a valid checkpoint record/],
    ['has no log', () => eachLog((file) => rmSync(file)), /a valid checkpoint record/],
    ['has no tables', () => rmSync(join(dataDir, 'base'), { recursive: true }), /does not exist/],
  ]

  test.each(damages)('and %s is refused with an explanation and left untouched', async (_, damage, reason) => {
    await damage()
    // The engine writes this file when it starts and does not remove it when it fails.
    const names = () => readdirSync(dataDir).filter((name) => name !== 'postmaster.pid')
    const before = names()
    expect(await refusal(() => openEmbedded(dataDir, { image: inject('template') }))).toMatch(reason)
    expect(names()).toEqual(before)
  })

  const openService = async () => {
    const config = readConfig({ DATA_DIR: folder })
    return openDeps(config, pino({ level: 'silent' }), {
      embeddedChain: 'none',
      embedders: embeddersOf(createCheapEmbedder()),
    })
  }

  /** The file with the first page of a table. */
  async function findPage(table: string): Promise<string> {
    const { pool, close } = await openEmbedded(dataDir)
    const { rows } = await pool.query<{ path: string }>('select pg_relation_filepath($1) as path', [table])
    await close()
    return join(dataDir, rows[0]?.path ?? '')
  }

  test('in a page that the start reads is refused with an explanation', async () => {
    const page = await findPage('migration')
    const whole = readFileSync(page)
    await overwrite(page, Buffer.alloc(8192, 0xa5))
    expect(await refusal(openService)).toMatch(/invalid page in block 0 of relation/)
    writeFileSync(page, whole)
    await overwrite(page, Buffer.alloc(whole.length))
    expect(await refusal(openService)).toMatch(/Migration 0001_foundation.sql failed \(relation .* already exists\)/)
  }, 120_000)

  test('in another page still answers everything else', async () => {
    await overwrite(await findPage('setting'), Buffer.alloc(8192, 0xa5))
    const { db, close } = await openEmbedded(dataDir)
    const read = () => db.many(sql`select * from setting where value like 'x%'`)
    await expect(read()).rejects.toMatchObject({ code: 'XX001' })
    await expect(db.transaction((db) => db.many(sql`select * from setting where value like 'x%'`))).rejects.toThrow(
      'invalid page',
    )
    await expect(read()).rejects.toMatchObject({ code: 'XX001' })
    expect(await db.many(sql`select name from migration`)).not.toEqual([])
    await db.run(sql`insert into instance (id, seen_at) values (gen_random_uuid(), now())`)
    await close()
  })
})

test('a full disk and files of another account are not reported as damage', () => {
  const why = (text: string) => damagedAtPath(dataDir, 'database', text).message
  expect(why('could not write to file: No space left on device')).toMatch(/device\. Make room on the disk\.$/)
  expect(why('EACCES: permission denied, open')).toMatch(/Let the account of the service own all of it/)
})
