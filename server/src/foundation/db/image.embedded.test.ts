import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { ConfigError } from '../../base/config-error.js'
import { type OpenDatabase, openEmbedded } from './connect.js'
import { createManifest, databaseOf, findImage, type Manifest, manifestOf, placeImage } from './image.js'
import { migrate } from './migrate.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rookery-image-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function withDatabase<T>(
  dataDir: string,
  image: string | undefined,
  use: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const database = await openEmbedded(dataDir, { image })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

const SCHEMA = [
  `select table_name, column_name, data_type, udt_name, is_nullable, column_default, is_generated, generation_expression
    from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`,
  "select indexdef from pg_indexes where schemaname = 'public' order by indexdef",
  `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`,
  `select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by proname, prosrc`,
  'select tgrelid::regclass::text, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1, 2',
  'select extname, extversion from pg_extension order by extname',
  'select name, checksum from migration order by name',
]

/** Everything that migrations create: the schema, and the rows of all tables except the times of migration. */
async function dump({ pool }: OpenDatabase): Promise<unknown> {
  const read = async (statement: string) => (await pool.query(statement)).rows
  const tables = await read(
    "select tablename from pg_tables where schemaname = 'public' and tablename <> 'migration' order by tablename",
  )
  const schema = []
  for (const statement of SCHEMA) schema.push(await read(statement))
  const rows = []
  for (const { tablename } of tables) rows.push([tablename, await read(`select * from ${tablename}`)])
  return { schema, rows }
}

describe('a new embedded database', () => {
  test('starts as the image, which equals what the engine and the migrations create', async () => {
    const made = await withDatabase(join(folder, 'made'), undefined, async (database) => {
      expect((await database.pool.query("select to_regclass('migration') as it")).rows).toEqual([{ it: null }])
      await migrate(database.pool)
      return dump(database)
    })
    const copied = await withDatabase(join(folder, 'copied'), inject('template'), async (database) => {
      expect(await migrate(database.pool)).toEqual([])
      return dump(database)
    })
    expect(copied).toEqual(made)
  }, 120_000)

  test('is repaired after a process was killed while copying', async () => {
    const dataDir = join(folder, 'database')
    mkdirSync(dataDir)
    mkdirSync(`${dataDir}.new/global`, { recursive: true })
    writeFileSync(`${dataDir}.new/PG_VERSION`, '18\n')
    await withDatabase(dataDir, inject('template'), async ({ pool }) => {
      expect(await migrate(pool)).toEqual([])
    })
    expect(existsSync(`${dataDir}.new`)).toBe(false)
  })
})

describe('an embedded database', () => {
  test('of another PostgreSQL version is refused and left untouched', async () => {
    const dataDir = join(folder, 'database')
    cpSync(inject('template'), dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'PG_VERSION'), '19\n')
    const opening = openEmbedded(dataDir, { image: undefined })
    await expect(opening).rejects.toThrow(
      /has the files of PostgreSQL 19, and this version has 18: install the version/,
    )
    await expect(opening).rejects.toBeInstanceOf(ConfigError)
    expect(readFileSync(join(dataDir, 'PG_VERSION'), 'utf8')).toBe('19\n')
  })
})

describe('placing an image', () => {
  test('leaves an existing database alone', () => {
    const dataDir = join(folder, 'database')
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'PG_VERSION'), 'mine')
    placeImage(inject('template'), dataDir)
    expect(readdirSync(dataDir)).toEqual(['PG_VERSION'])
  })

  test('leaves nothing behind when the copy fails half-way', async () => {
    const image = join(folder, 'image')
    cpSync(inject('template'), image, { recursive: true })
    // A socket cannot be copied. Its name makes it the last.
    const socket = createServer()
    await new Promise<void>((resolve) => socket.listen(join(image, 'zz'), resolve))
    placeImage(image, join(folder, 'database'))
    expect(readdirSync(folder)).toEqual(['image'])
    await new Promise((resolve) => socket.close(resolve))
  })
})

describe('an image', () => {
  function imageWith(change: (manifest: Manifest) => Manifest): string {
    const image = join(folder, 'image')
    mkdirSync(databaseOf(image), { recursive: true })
    writeFileSync(manifestOf(image), JSON.stringify(change(createManifest())))
    return image
  }

  test('is used when it matches this version, even if migrations were added since', () => {
    const image = imageWith((manifest) => manifest)
    expect(findImage(image)).toBe(databaseOf(image))
    imageWith(({ migrations, ...rest }) => ({
      ...rest,
      migrations: Object.fromEntries(Object.entries(migrations).slice(0, -1)),
    }))
    expect(findImage(image)).toBe(databaseOf(image))
  })

  test('is ignored when it is missing, unreadable, or made by another engine or from other migrations', () => {
    expect(findImage(join(folder, 'nowhere'))).toBeUndefined()
    const image = imageWith((manifest) => manifest)
    writeFileSync(manifestOf(image), readFileSync(manifestOf(image), 'utf8').slice(0, -10))
    expect(findImage(image)).toBeUndefined()
    const others: ((manifest: Manifest) => Manifest)[] = [
      (manifest) => ({ ...manifest, engine: { ...manifest.engine, '@electric-sql/pglite': '0.0.1' } }),
      (manifest) => ({ ...manifest, migrations: { ...manifest.migrations, '0001_foundation.sql': 'changed' } }),
      (manifest) => ({ ...manifest, migrations: { ...manifest.migrations, '9999_later.sql': 'of a newer version' } }),
    ]
    for (const other of others) expect(findImage(imageWith(other))).toBeUndefined()
  })
})
