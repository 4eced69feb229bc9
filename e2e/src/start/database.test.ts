import { readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { findPostgres, startPostgres } from '@rookery/tooling/postgres'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { begin, makeFolder, startRefused } from './attempt.js'

const CANNOT = 'Rookery cannot start: DATABASE_URL: '
const PASSWORD = 'never-to-be-shown'
const ONCE = { DATABASE_WAIT_MS: '0', ROLE: 'worker' }

/** Returns what the program prints when given this database. */
async function refusalOf(DATABASE_URL: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const sentence = await startRefused({ ...ONCE, DATABASE_URL, ...env })
  expect(sentence).not.toContain(PASSWORD)
  expect(sentence.startsWith(CANNOT)).toBe(true)
  return sentence.slice(CANNOT.length)
}

/** Listens until the test ends; returns the port. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

// A port that nothing listens on.
const DEAD = '127.0.0.1:1'

describe('the start with a PostgreSQL that is not there', () => {
  test('says that nothing listens', async () => {
    expect(await refusalOf(`postgres://rookery:${PASSWORD}@${DEAD}/rookery`)).toMatch(
      new RegExp(`^no PostgreSQL listens at ${DEAD}\\. Start it, or correct host and port\\. Waited for \\d+ s\\.$`),
    )
  })

  test('ends with 0 when a signal stops it while it waits, as the first process of a container must', async () => {
    const env = { DATABASE_URL: `postgres://rookery@${DEAD}/rookery`, ROLE: 'worker', DATABASE_WAIT_MS: '60000' }
    const program = begin({ ...env, DATA_DIR: await makeFolder() })
    await expect.poll(program.output, { timeout: 30_000 }).toMatch(/Waiting for the database since \d+ s/)
    program.stop()
    expect(await program.ended).toMatchObject({ code: 0 })
  })

  test('says so of every server that the URL names', async () => {
    expect(await refusalOf(`postgres://rookery:${PASSWORD}@${DEAD},127.0.0.1:2/rookery`)).toMatch(
      new RegExp(`^no PostgreSQL listens at ${DEAD}, and no PostgreSQL listens at 127.0.0.1:2\\. Start it`),
    )
  })

  test('says that the host is unknown', async () => {
    expect(await refusalOf(`postgres://rookery:${PASSWORD}@nowhere.invalid/rookery`)).toMatch(
      /^the host of nowhere\.invalid:5432 is unknown \(E\w+\)\. Correct it\./,
    )
  })

  test('gives up on one that accepts and does not answer', async () => {
    const port = await listen(createServer((socket) => void socket.on('error', () => {}).unref()))
    expect(await refusalOf(`postgres://rookery:${PASSWORD}@127.0.0.1:${port}/rookery`)).toMatch(
      new RegExp(
        `^PostgreSQL at 127.0.0.1:${port} does not answer \\(.*timeout.*\\)\\. Check host and port, and the firewall`,
      ),
    )
  })
})

describe.skipIf(!findPostgres())('the start with a PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  let folder: string
  const as = (user: string, database: string) =>
    `postgresql://${user}:${PASSWORD}@/${database}?host=${encodeURIComponent(folder)}`

  async function run(database: string, ...statements: string[]): Promise<void> {
    const client = new Client({ connectionString: postgres.url(database) })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'off' })
    folder = new URL(postgres.url('postgres').replace('@/', '@localhost/')).searchParams.get('host') ?? ''
    const rules = join(folder, 'data/pg_hba.conf')
    await writeFile(
      rules,
      `local all locked scram-sha-256\nlocal all outsider reject\n${await readFile(rules, 'utf8')}`,
    )
    await run(
      'postgres',
      'select pg_reload_conf()',
      `create role locked login password 'another'`,
      'create role outsider login',
      'create role guest login',
      // The catalogue as it looks on an older server.
      'create database old_server',
      'create database old_vector',
      'create database no_vector',
      'create database read_only',
      'alter database read_only set default_transaction_read_only = on',
    )
    await run(
      'old_server',
      'create schema old',
      `create function old.current_setting(text) returns text return '140011'`,
      'alter database old_server set search_path = old, pg_catalog, public',
    )
    for (const [database, version] of [
      ['old_vector', `'0.7.4'`],
      ['no_vector', 'null'],
    ] as const)
      await run(
        database,
        'create schema old',
        `create view old.pg_available_extensions as select 'vector' as name, ${version} as default_version`,
        `alter database ${database} set search_path = old, pg_catalog, public`,
      )
  }, 60_000)
  afterAll(() => postgres?.stop())

  test.each([
    [
      'postgres',
      'missing',
      /^there is no database "missing" at .*\. Create it \(createdb missing\), or correct the name\.$/,
    ],
    ['locked', 'postgres', /^PostgreSQL at .* does not accept the password of "locked"\. Correct it\.$/],
    [
      'outsider',
      'postgres',
      /^PostgreSQL at .* does not admit "outsider" \(.*\)\. Correct the account, or admit it in pg_hba\.conf\.$/,
    ],
    [
      'guest',
      'postgres',
      /^"guest" may not create the extension pgvector\. Let a superuser run "create extension vector" in the database "postgres"\. .*"guest" may not create tables in the schema "public"\. /,
    ],
    ['postgres', 'old_server', /^PostgreSQL 14 at .* is too old\. Use version 15 or newer\.$/],
    [
      'postgres',
      'old_vector',
      /^PostgreSQL at .* needs the extension pgvector 0\.8 or newer, and has 0\.7\.4\. Install it on that server/,
    ],
    [
      'postgres',
      'no_vector',
      /^PostgreSQL at .* needs the extension pgvector 0\.8 or newer, and does not have it\. Install it on that/,
    ],
    ['postgres', 'read_only', /^PostgreSQL at .* takes no writes .*\. Use the address of the server that does\.$/],
  ])('refuses as %s on the database %s with a sentence', async (user, database, sentence) => {
    expect(await refusalOf(as(user, database))).toMatch(sentence)
  })

  test('waits for it while it is not there and while it starts up, says so, and begins then, with Redis or without', async () => {
    const place = await makeFolder()
    await run('postgres', 'create database late')
    const DATABASE_URL = `postgresql://postgres@/late?host=${encodeURIComponent(place)}`
    const REDIS_URL = `redis://:${PASSWORD}@${DEAD}`
    const env = { DATABASE_URL, REDIS_URL, ROLE: 'worker', DATA_DIR: await makeFolder(), DATABASE_WAIT_MS: '60000' }
    const program = begin(env)
    await expect
      .poll(program.output, { timeout: 30_000 })
      .toMatch(/Waiting for the database since \d+ s: no PostgreSQL listens at /)

    const file = join(place, '.s.PGSQL.5432')
    const starting = createServer(
      (socket) => void socket.on('error', () => {}).once('data', () => socket.end(STARTING_UP)),
    )
    await new Promise<void>((done) => starting.listen(file, done))
    await expect
      .poll(program.output, { timeout: 20_000 })
      .toMatch(/Waiting .* says: the database system is starting up/)
    await new Promise((done) => starting.close(done))
    await rm(file, { force: true })

    const through = createServer((socket) => joinSockets(socket, connect(join(folder, '.s.PGSQL.5432'))))
    await new Promise<void>((done) => through.listen(file, done))
    onTestFinished(() => void through.close())
    await expect.poll(program.output, { timeout: 50_000 }).toContain('The Rookery worker is ready')
    program.stop()
    expect((await program.ended).code).toBe(0)
    // It keeps retrying, but reports each missing thing once.
    const lines = program
      .output()
      .split('\n')
      .filter((line) => line.includes('REDIS_URL'))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 40,
        msg: 'instances wake each other late',
        message: `REDIS_URL: Redis at ${DEAD} does not answer (connect ECONNREFUSED ${DEAD}).`,
      }),
      expect.objectContaining({ level: 40, msg: expect.stringContaining('limits are counted per instance') }),
    ])
    expect(program.output()).not.toContain(PASSWORD)
  }, 90_000)
})

/** PostgreSQL's response while it is starting up. */
const STARTING_UP = (() => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0')
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
})()

function joinSockets(a: Socket, b: Socket): void {
  for (const socket of [a, b]) socket.on('error', () => {})
  a.pipe(b).pipe(a)
}
