import { existsSync, readdirSync, statSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../config/config.js'
import { beginDatabase } from '../../foundation/db/begin.js'
import { checkNotRestoring } from '../../foundation/db/restoring.js'
import { BackupError } from './backup-error.js'
import { checkBackup } from './check-backup.js'
import { type FileRecord, listFolder, readRecord } from './files.js'
import { dataOf, type Manifest, writeManifest } from './manifest.js'
import { restoreBackup } from './restore.js'

const silent = { begin: () => {}, add: () => {}, end: () => {} }
const { signal } = new AbortController()
const watch = { signal, onBytes: () => {} }

let root: string
let backup: string
let dataDir: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rookery-backup-'))
  backup = join(root, 'backup')
  dataDir = join(root, 'restored')
  await writeBackup()
})
afterEach(() => rm(root, { recursive: true, force: true }))

const CONTENT = {
  'server-secret': 'a secret of this installation',
  'files/ab/abcdef.png': 'a picture',
  'database/PG_VERSION': '18\n',
}

/** Writes a backup as it is on disk, with arbitrary content. */
async function writeBackup(more: Partial<Manifest> = {}): Promise<void> {
  for (const [path, text] of Object.entries(CONTENT)) {
    const file = join(dataOf(backup), path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  await mkdir(join(dataOf(backup), 'database/pg_notify'), { recursive: true })
  const { folders, files } = await listFolder(dataOf(backup))
  const records: FileRecord[] = []
  for (const { path } of files) records.push({ path, ...(await readRecord(join(dataOf(backup), path), watch)) })
  await writeManifest(backup, {
    format: 1,
    version: '0.1.0',
    madeAt: '2026-01-01T00:00:00.000Z',
    database: null,
    chain: null,
    notes: [],
    folders,
    files: records,
    ...more,
  })
}

const check = () => checkBackup({ backup, signal, progress: silent })
const restore = () => restoreBackup({ backup, dataDir, signal, progress: silent })
const sentence = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => (error instanceof BackupError ? error.message : `unexpected: ${error.message}`),
  )

describe('a backup', () => {
  test('is restored file by file and folder by folder, accessible only to this account', async () => {
    await restore()
    for (const [path, text] of Object.entries(CONTENT)) expect(await readFile(join(dataDir, path), 'utf8')).toBe(text)
    const { folders, files } = await listFolder(dataDir)
    expect(folders).toContain('database/pg_notify')
    const mode = (path: string) => statSync(join(dataDir, path)).mode & 0o777
    expect([...new Set(files.map(({ path }) => mode(path)))]).toEqual([0o600])
    expect([...new Set(['', ...folders].map(mode))]).toEqual([0o700])
    expect(() => checkNotRestoring(dataDir)).not.toThrow()
  })

  const picture = () => join(dataOf(backup), 'files/ab/abcdef.png')
  const json = () => join(backup, 'backup.json')
  const flip = async (file: string, at: number) => {
    const bytes = await readFile(file)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(file, bytes)
  }
  test.each([
    ['a byte of a file is another', () => flip(picture(), 3), 'data/files/ab/abcdef.png does not have the content'],
    ['a file is missing', () => rm(picture()), 'data/files/ab/abcdef.png is missing'],
    ['a file is cut off', () => truncate(picture(), 4), 'data/files/ab/abcdef.png has 4 bytes instead of 9'],
    ['a file is longer', () => appendFile(picture(), 'x'), 'data/files/ab/abcdef.png has 10 bytes instead of 9'],
    ['a digit of the manifest is another', () => flip(json(), 40), 'backup.json has changed'],
    ['the manifest is cut off', () => truncate(json(), 300), 'backup.json has changed'],
    ['there is no manifest', () => rm(json()), 'is not a complete backup: it has no backup.json'],
  ])('is refused by its check and by a restore when %s', async (_, damage, why) => {
    expect(await sentence(check())).toBe('done')
    await damage()
    for (const refusal of [await sentence(check()), await sentence(restore())]) {
      expect(refusal).toContain(backup)
      expect(refusal).toContain(why)
    }
    expect(existsSync(dataDir)).toBe(false)
  })

  test('is refused when it names a path outside, or comes from a newer version', async () => {
    await writeBackup({ folders: ['../elsewhere'] })
    expect(await sentence(restore())).toContain('names ../elsewhere, which is outside')
    const database = { migration: '9999_later.sql', secretFingerprint: null, agents: 0, tweets: 0, trades: 0 }
    await writeBackup({ database, version: '9.9.9' })
    expect(await sentence(restore())).toContain('was made by version 9.9.9, which is newer than this one')
    await writeBackup({ format: 2 as 1, version: '9.9.9' })
    expect(await sentence(check())).toContain('this version cannot read')
  })
})

describe('a restore', () => {
  test('refuses a folder that is not empty, naming it, and leaves it unchanged', async () => {
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'server-secret'), 'mine')
    expect(await sentence(restore())).toContain(`DATA_DIR ${dataDir} is not empty (server-secret).`)
    expect(readdirSync(dataDir)).toEqual(['server-secret'])
  })

  test('treats the root of a new volume as empty', async () => {
    await mkdir(join(dataDir, 'lost+found'), { recursive: true })
    await restore()
    expect(readdirSync(dataDir)).toContain('lost+found')
  })

  test('that is stopped leaves an empty folder empty', async () => {
    await mkdir(dataDir)
    const stop = new AbortController()
    const progress = { ...silent, add: () => stop.abort(new BackupError('Stopped.')) }
    const stopped = restoreBackup({ backup, dataDir, signal: stop.signal, progress })
    expect(await sentence(stopped)).toBe('Stopped.')
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('that was killed keeps the service from starting there until it is repeated', async () => {
    await mkdir(join(dataDir, 'restoring/files'), { recursive: true })
    await writeFile(join(dataDir, 'restoring/files/half'), 'half')
    const config = readConfig({ DATA_DIR: dataDir })
    const starting = beginDatabase(config, { warn: () => {} })
    await expect(starting).rejects.toThrow(`DATA_DIR ${dataDir} is being restored`)
    await restore()
    expect(() => checkNotRestoring(dataDir)).not.toThrow()
    expect(existsSync(join(dataDir, 'files/half'))).toBe(false)
  })
})
