import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.js'
import { systemClock } from '../../base/clock.js'
import { ConfigError } from '../../base/config-error.js'
import { type OpenDatabase, openEmbedded, openPostgres } from '../db/connect.js'
import { type FolderConfig, openFolder, openFolderForPostgres } from './folder.js'
import { findIdentity } from './identity.js'
import { manifestFile, readManifest } from './manifest.js'

let made: TestDatabase
let database: OpenDatabase
let dataDir: string

beforeAll(async () => {
  made = await createTestDatabase()
  const { DATABASE_URL, DATA_DIR } = made.env
  database = DATABASE_URL ? openPostgres(DATABASE_URL) : await openEmbedded(join(DATA_DIR, 'database'))
})

afterAll(async () => {
  await database.close()
  await made.remove()
})

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rookery-folder-'))
  await forget()
})

afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** Makes the database look like one that no installation has used. */
const forget = () => database.db.run(sql`delete from setting where name = 'identity'`)

const config = (more: Partial<FolderConfig> = {}): FolderConfig => ({
  DATA_DIR: dataDir,
  DATABASE_URL: undefined,
  SERVER_SECRET: undefined,
  OPERATOR_PRIVATE_KEY: undefined,
  CHAIN_RPC_URL: undefined,
  STAGING_CHAIN_URL: undefined,
  ROLE: 'all',
  FILES: 'disk',
  version: '0.1.0',
  ...more,
})

const openForPostgres = (more: Partial<FolderConfig> = {}) =>
  openFolderForPostgres(config({ DATABASE_URL: 'postgres://elsewhere/rookery', ...more }), systemClock)

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(dataDir, path)), { recursive: true })
  await writeFile(join(dataDir, path), text)
}

// What the service creates in a folder, in order. The database files stand in for the open database.
const makeParts: [string, (id: string) => Promise<void>][] = [
  ['the operator key', () => put('operator-key', '0xaa')],
  ['the bank key', () => put('bank-key', '0xbb')],
  ['the database', () => put('database/PG_VERSION', '18\n')],
  ['the journal', () => put('chain/journal-0', '')],
  ['the chain', (id) => put('chain/chain.json', JSON.stringify({ folder: id }))],
  ['the secret', () => put('server-secret', 'a long secret')],
]

/** One complete start. */
async function start(): Promise<string> {
  const checked = await openFolder(config(), systemClock)
  const early = checked.identified
  if (early) for (const [, make] of makeParts) if (early.mayMake('database')) await make(early.id)
  const folder = await checked.claim(database.db)
  if (!early) await put('chain/chain.json', JSON.stringify({ folder: folder.id }))
  await folder.settle()
  return folder.id
}

/** The one-line message of a start that is refused. */
async function refusal(begin = start): Promise<string> {
  const error = await begin().then(
    () => new Error('it started'),
    (error: Error) => error,
  )
  expect(error).toBeInstanceOf(ConfigError)
  expect(error.message).not.toContain('\n')
  expect(error.message).toMatch(/on purpose|choose another DATA_DIR/)
  return error.message
}

describe('a data folder', () => {
  test('has a manifest, and owns the database', async () => {
    const id = await start()
    expect(await readManifest(dataDir)).toEqual({
      id,
      madeAt: expect.stringMatching(/^20\d\d-.*Z$/),
      madeBy: '0.1.0',
      parts: {
        database: 'made',
        chain: 'made',
        files: 'made',
        'server-secret': expect.stringMatching(/^made [0-9a-f]{32}$/),
        'operator-key': expect.stringMatching(/^made [0-9a-f]{32}$/),
        'bank-key': expect.stringMatching(/^made [0-9a-f]{32}$/),
      },
    })
    expect(await findIdentity(database.db)).toBe(id)
    expect(await start()).toBe(id)
  })

  test.each([
    ['database', 'database'],
    ['database', 'database/PG_VERSION'],
    ['chain', 'chain'],
    ['chain', 'chain/chain.json'],
    ['files', 'files'],
    ['files', 'files/identity'],
    ['server-secret', 'server-secret'],
    ['operator-key', 'operator-key'],
    ['bank-key', 'bank-key'],
  ])('is refused without its %s (%s)', async (part, path) => {
    const id = await start()
    // More than the version file, and more than an empty journal.
    await put('database/base/1', 'tables')
    await put('chain/journal-0', 'blocks')
    await put('files/ab/abcd', 'an upload')
    await rename(join(dataDir, path), join(dataDir, 'aside'))
    const message = await refusal()
    expect(message).toContain(join(dataDir, part))
    expect(message).toContain(`remove the line "${part}" from ${manifestFile(dataDir)}`)
    await rename(join(dataDir, 'aside'), join(dataDir, path))
    expect(await start()).toBe(id)
  })

  test('takes two steps to start over with a part, and each alone changes nothing', async () => {
    const id = await start()
    const whole = await readFile(manifestFile(dataDir), 'utf8')
    const without = whole.replace(/ {2}"chain".*\n/, '')
    expect(without).not.toBe(whole)
    await writeFile(manifestFile(dataDir), without)
    expect(await start()).toBe(id)
    expect(await readManifest(dataDir)).toMatchObject({ parts: { chain: 'made' } })

    await rm(join(dataDir, 'chain'), { recursive: true })
    await refusal()
    await writeFile(manifestFile(dataDir), without)
    const again = await openFolder(config(), systemClock)
    expect(again.identified?.mayMake('chain')).toBe(true)
    expect(again.identified?.mayMake('database')).toBe(false)
  })

  test('is refused with parts of another folder', async () => {
    await start()
    const chain = await readFile(join(dataDir, 'chain/chain.json'))
    await put('chain/chain.json', '{"folder":"another"}')
    expect(await refusal()).toMatch(/chain belongs to another installation \(another\)/)
    await put('chain/chain.json', '{}')
    expect(await refusal()).toContain('chain does not carry the identity')
    await put('chain/chain.json', '{"fol')
    expect(await refusal()).toContain('chain.json cannot be read')
    await put('chain/chain.json', String(chain))

    await put('files/identity', 'another\n')
    expect(await refusal()).toMatch(/files belongs to another installation \(another\)/)
    await rm(join(dataDir, 'files'), { recursive: true })
    await put('files/identity', String((await readManifest(dataDir))?.id))

    await put('server-secret', 'another secret')
    expect(await refusal()).toContain('server-secret is not the one that')
    await put('server-secret', 'a long secret')
    await put('operator-key', '')
    expect(await refusal()).toContain('operator-key cannot be used: it is empty')
    await put('operator-key', '0xaa')

    await database.db.run(sql`update setting set value = 'another' where name = 'identity'`)
    expect(await refusal()).toMatch(/database belongs to another installation \(another\)/)
    await forget()
    expect(await refusal()).toContain('database does not carry the identity')
    expect(await findIdentity(database.db)).toBeUndefined()
  })

  test('is refused without its manifest, with a damaged one, and with one from a newer version', async () => {
    const id = await start()
    const manifest = await readFile(manifestFile(dataDir), 'utf8')
    await writeFile(manifestFile(dataDir), manifest.slice(0, 40))
    await expect(start()).rejects.toThrow(/manifest\.json cannot be read.*restore it from a backup/)
    await writeFile(manifestFile(dataDir), manifest.replace('"format": 1', '"format": 2'))
    await expect(start()).rejects.toThrow(/manifest\.json was written by a newer version/)

    await rm(manifestFile(dataDir))
    expect(await refusal()).toMatch(/manifest\.json is missing, though .*chain belongs to an installation/)
    await rename(join(dataDir, 'chain'), join(dataDir, 'aside'))
    expect(await refusal()).toMatch(/manifest\.json is missing, though .*files belongs to an installation/)
    await rename(join(dataDir, 'files'), join(dataDir, 'aside-too'))
    expect(await refusal()).toMatch(/manifest\.json is missing, though .*database belongs to an installation/)
    expect(existsSync(manifestFile(dataDir))).toBe(false)

    await rename(join(dataDir, 'aside'), join(dataDir, 'chain'))
    await rename(join(dataDir, 'aside-too'), join(dataDir, 'files'))
    await writeFile(manifestFile(dataDir), `{"id":"${id}","format":1}`)
    expect(await start()).toBe(id)
    expect(await readManifest(dataDir)).toMatchObject({ id, parts: { database: 'made', chain: 'made' } })
  })
})

describe('a first start that is killed', () => {
  test.each(makeParts.map(([name], index) => [name, index]))('after it created %s can be repeated', async (_, last) => {
    const { identified } = await openFolder(config(), systemClock)
    for (const [, make] of makeParts.slice(0, last + 1)) await make(identified?.id ?? '')
    expect(await start()).toBe(identified?.id)
    expect(await start()).toBe(identified?.id)
  })

  test('after it marked the database can be repeated', async () => {
    const checked = await openFolder(config(), systemClock)
    for (const [, make] of makeParts) await make(checked.identified?.id ?? '')
    await checked.claim(database.db)
    expect(await start()).toBe(checked.identified?.id)
  })
})

describe('a data folder from before there were manifests', () => {
  beforeEach(async () => {
    await put('database/PG_VERSION', '18\n')
    await put('chain/chain.json', '{"operator":"0xaa"}')
    await put('chain/journal-0', 'blocks')
    await put('server-secret', 'a long secret')
    await put('operator-key', '0xaa')
  })

  test('is adopted, and its parts are required from then on', async () => {
    const id = await start()
    expect(await readManifest(dataDir)).toMatchObject({ id, parts: { database: 'made', chain: 'made' } })
    await rm(join(dataDir, 'chain'), { recursive: true })
    await refusal()
  })

  test('is adopted by the next start when the first is killed at any step', async () => {
    const first = await openFolder(config(), systemClock)
    expect(first.identified).toBeUndefined()
    expect(existsSync(manifestFile(dataDir))).toBe(false)
    const { id } = await first.claim(database.db)
    expect((await openFolder(config(), systemClock)).identified?.id).toBe(id)
    await forget()
    const second = await openFolder(config(), systemClock)
    expect((await second.claim(database.db)).id).toBe(id)
    await rm(join(dataDir, 'chain'), { recursive: true })
    expect(await refusal()).toContain('embedded chain')
  })

  test('is refused when its database is gone or would be created again', async () => {
    await put('database/base/1', 'tables')
    await rm(join(dataDir, 'database/PG_VERSION'))
    expect(await refusal()).toContain('PG_VERSION is missing')
    await rm(join(dataDir, 'database'), { recursive: true })
    expect(await refusal()).toMatch(/database is not there, but .*chain is/)
    expect(existsSync(manifestFile(dataDir))).toBe(false)
  })

  test('is refused when its chain has blocks and no manifest', async () => {
    await rm(join(dataDir, 'chain/chain.json'))
    expect(await refusal()).toContain('chain.json is missing')
  })
})

describe('a data folder used with a PostgreSQL database', () => {
  const claim = async (more: Partial<FolderConfig> = {}) => {
    const folder = await openForPostgres(more).claim(database.db)
    await folder.settle()
    return folder.id
  }
  const NOTHING_HERE: Partial<FolderConfig> = {
    SERVER_SECRET: 'the same on all',
    CHAIN_RPC_URL: 'http://chain',
    FILES: { bucket: 'rookery', prefix: '' },
  }

  test('belongs to that database from the first start on, whichever instance is first', async () => {
    const own = [dataDir, join(dataDir, 'second'), join(dataDir, 'third')]
    const ids = await Promise.all(own.map((DATA_DIR) => claim({ DATA_DIR })))
    expect(new Set(ids)).toEqual(new Set([await findIdentity(database.db)]))
    expect(await Promise.all(own.map((DATA_DIR) => claim({ DATA_DIR })))).toEqual(ids)
  })

  test('may be shared by instances that start at the same moment', async () => {
    await put('server-secret', 'a long secret')
    const ids = await Promise.all(
      [{}, { ROLE: 'web' }, { ROLE: 'worker', SERVER_SECRET: 'the same' }].map((it) => claim(it as FolderConfig)),
    )
    expect(new Set(ids).size).toBe(1)
    expect(await readManifest(dataDir)).toMatchObject({ parts: { files: 'made', postgres: 'made' } })
  })

  test('may be new, and may hold older uploads or ones that other instances share', async () => {
    const id = await claim()
    await rename(join(dataDir, 'files'), join(dataDir, 'shared'))
    await rm(manifestFile(dataDir))
    await put('files/ab/abcd', 'an upload')
    expect(await claim()).toBe(id)
    const other = join(dataDir, 'other')
    await mkdir(other)
    await rename(join(dataDir, 'shared'), join(other, 'files'))
    expect(await claim({ DATA_DIR: other })).toBe(id)
  })

  test('is refused with another database, and with an empty one', async () => {
    const id = await claim()
    await database.db.run(sql`update setting set value = 'another' where name = 'identity'`)
    expect(await refusal(claim)).toMatch(/DATABASE_URL belongs to another installation \(another\), but DATA_DIR/)
    await forget()
    expect(await refusal(claim)).toContain(`DATABASE_URL is new, but DATA_DIR ${dataDir} is of ${id}`)
    expect(await findIdentity(database.db)).toBeUndefined()
  })

  test('is not bound to a database while the process keeps nothing in the folder', async () => {
    await claim(NOTHING_HERE)
    expect(existsSync(manifestFile(dataDir))).toBe(false)
    await forget()
    await claim(NOTHING_HERE)
  })

  test('is refused without its uploads or secret', async () => {
    await put('server-secret', 'a long secret')
    await claim()
    await rename(join(dataDir, 'files'), join(dataDir, 'aside'))
    await mkdir(join(dataDir, 'files'))
    expect(await refusal(claim)).toContain(join(dataDir, 'files'))
    await rm(join(dataDir, 'files'), { recursive: true })
    await rename(join(dataDir, 'aside'), join(dataDir, 'files'))
    await rm(join(dataDir, 'server-secret'))
    expect(await refusal(claim)).toContain(join(dataDir, 'server-secret'))
  })

  test('may come from an embedded database, but does not go back to one by accident', async () => {
    const id = await start()
    await forget()
    expect(await claim()).toBe(id)
    expect(await refusal()).toMatch(/^DATABASE_URL is not set, but DATA_DIR .* was used with a PostgreSQL database/)
  })
})
