import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../base/clock.js'
import { readConfig } from '../../config/config.js'
import { lockDataDir } from '../../foundation/db/lock.js'
import { BackupError } from './backup-error.js'
import { checkBackup } from './check-backup.js'
import { makeBackup } from './make-backup.js'

const silent = { begin: () => {}, add: () => {}, end: () => {} }
const { signal } = new AbortController()

let root: string
let dataDir: string
let target: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rookery-make-'))
  dataDir = join(root, 'data')
  target = join(root, 'backup')
  await mkdir(join(dataDir, 'files/ab'), { recursive: true })
  await mkdir(join(dataDir, 'scratch'))
  await writeFile(join(dataDir, 'files/ab/abc.png'), 'a picture')
  await writeFile(join(dataDir, 'scratch/half'), 'for a moment')
  await writeFile(join(dataDir, 'server-secret'), 'a secret')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const withPostgres = { DATABASE_URL: 'postgresql://nobody@localhost:1/nothing' }
const make = (env: Record<string, string> = withPostgres, stop = signal) => {
  const config = readConfig({ DATA_DIR: dataDir, ...env })
  return makeBackup({ config, clock: systemClock, target, signal: stop, progress: silent })
}

describe('a backup with a PostgreSQL server', () => {
  test('has uploads and secrets, and says how to back up the database first', async () => {
    const { manifest, heldMs } = await make()
    expect(heldMs).toBeUndefined()
    expect(manifest.files.map(({ path }) => path)).toEqual(['files/ab/abc.png', 'server-secret'])
    expect(manifest.notes).toEqual([expect.stringMatching(/DATABASE_URL is not in it: use pg_dump.* first\.$/)])
    expect(await readFile(join(target, 'data/files/ab/abc.png'), 'utf8')).toBe('a picture')
    expect(await checkBackup({ backup: target, signal, progress: silent })).toEqual(manifest)
  })

  test('lists what must be kept elsewhere', async () => {
    await rm(join(dataDir, 'server-secret'))
    const { manifest } = await make({ ...withPostgres, FILES: 's3://bucket', AWS_REGION: 'any' })
    expect(manifest.notes).toEqual([
      expect.stringContaining('DATABASE_URL'),
      expect.stringContaining('in the bucket that FILES names'),
      expect.stringContaining('SERVER_SECRET is not in it'),
    ])
  })
})

describe('a backup', () => {
  const left = () => readdirSync(root).filter((name) => name !== 'data')

  test('replaces the leftovers of a killed one, but not one in progress', async () => {
    await mkdir(`${target}.unfinished/data`, { recursive: true })
    await writeFile(`${target}.unfinished/data/half`, 'half')
    const other = await lockDataDir(`${target}.unfinished`)
    await expect(make()).rejects.toThrow(`Another backup to ${target} is being made.`)
    expect(existsSync(`${target}.unfinished/data/half`)).toBe(true)
    await other.close()
    await make()
    expect(left()).toEqual(['backup'])
    expect(existsSync(join(target, 'data/half'))).toBe(false)
  })

  test('that is stopped half way leaves nothing behind', async () => {
    const stop = new AbortController()
    const config = readConfig({ DATA_DIR: dataDir, ...withPostgres })
    const progress = { ...silent, add: () => stop.abort(new BackupError('Stopped.')) }
    const stopped = makeBackup({ config, clock: systemClock, target, signal: stop.signal, progress })
    await expect(stopped).rejects.toThrow('Stopped.')
    expect(left()).toEqual([])
  })

  test('is refused where there is nothing to back up, or an unresponsive process has locked the folder', async () => {
    await expect(make({})).rejects.toThrow(`DATA_DIR ${dataDir} has no database in it`)
    await mkdir(join(dataDir, 'database'))
    const other = await lockDataDir(dataDir)
    await expect(make({})).rejects.toThrow(`${dataDir} is in use by a process that does not answer`)
    await other.close()
    await expect(make({})).rejects.toThrow('The copy of the database cannot be used: PG_VERSION is missing.')
    await expect(make({ DATA_DIR: join(root, 'none') })).rejects.toThrow(
      'does not exist, so there is nothing to back up',
    )
    expect(left()).toEqual([])
  })
})
