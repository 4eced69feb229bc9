import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { ConfigError } from '../config-error.js'
import { openEmbedded } from './connect.js'

let folder: string
let dataDir: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rookery-damage-'))
  dataDir = join(folder, 'database')
  cpSync(inject('template'), dataDir, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function overwrite(file: string, position: number, bytes: Buffer): Promise<void> {
  const handle = await open(join(dataDir, file), 'r+')
  await handle.write(bytes, 0, bytes.length, position)
  await handle.close()
}

function eachLog(damage: (file: string) => void): void {
  for (const name of readdirSync(join(dataDir, 'pg_wal')))
    if (/^[0-9A-F]{24}$/.test(name)) damage(join(dataDir, 'pg_wal', name))
}

/** What the operator is told. */
async function refusal(): Promise<string> {
  const opening = openEmbedded(dataDir, { image: inject('template') })
  const error = await opening.then(
    async (database) => {
      await database.close()
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
  const damages: [string, () => Promise<void> | void, RegExp][] = [
    ['has no PG_VERSION', () => rmSync(join(dataDir, 'PG_VERSION')), /PG_VERSION is missing/],
    ['has bits flipped in pg_control', () => overwrite('global/pg_control', 40, Buffer.alloc(64, 0xff)), /./],
    ['has an empty pg_control', () => truncateSync(join(dataDir, 'global/pg_control')), /./],
    ['has no pg_control', () => rmSync(join(dataDir, 'global/pg_control')), /./],
    ['has a log that was cut', () => eachLog((file) => truncateSync(file, 100)), /./],
    ['has a log of zeros', () => eachLog((file) => writeFileSync(file, Buffer.alloc(16 << 20))), /./],
    ['has no log', () => eachLog((file) => rmSync(file)), /./],
    ['has no tables', () => rmSync(join(dataDir, 'base'), { recursive: true }), /./],
  ]

  test.each(damages)('and %s is refused with a sentence and left as it is', async (_, damage, reason) => {
    await damage()
    const size = existsSync(join(dataDir, 'global')) && statSync(dataDir).ino
    expect(await refusal()).toMatch(reason)
    expect(existsSync(join(dataDir, 'global')) && statSync(dataDir).ino).toBe(size)
    // Not by itself the next time either.
    await refusal()
  })
})
