import { spawnSync } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { findPostgres, startPostgres } from '@rookery/tooling/postgres'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { begin, makeFolder, startRefused } from './attempt.js'

const OPERATE = fileURLToPath(new URL('../../../server/dist/operate.js', import.meta.url))
const CONTRACT = `0x${'11'.repeat(20)}`

/** Runs the operator command on this environment alone; returns its exit code and what it printed. */
async function preflight(env: Readonly<Record<string, string>>): Promise<{ code: number | null; lines: string[] }> {
  const running = begin({ DATA_DIR: `${await makeFolder()}/data`, ...env }, { script: OPERATE, args: ['preflight'] })
  const { code, stdout, stderr } = await running.ended
  return { code, lines: (stdout + stderr).trimEnd().split('\n') }
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A chain that has this id, and code nowhere. */
const startChain = (id: number) =>
  listen(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { id: number, method } = JSON.parse(body) as { id: number; method: string }
    const result = method === 'eth_chainId' ? `0x${id.toString(16)}` : '0x'
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id: number, result }))
  })

/** A store of files that has no bucket. */
const startStore = () =>
  listen((request, response) => {
    request.resume()
    response
      .writeHead(404, { 'content-type': 'application/xml' })
      .end('<?xml version="1.0"?><Error><Code>NoSuchBucket</Code><Message>none</Message></Error>')
  })

describe.skipIf(!findPostgres())('before anything is changed', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  const as = (user: string, database: string) => postgres.url(database).replace('//postgres@', `//${user}@`)

  async function run(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: postgres.url(database) })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows
  }

  const countTables = async (database: string) =>
    (
      await run(
        database,
        `select count(*)::int as n from pg_tables where schemaname not like 'pg\\_%' and schemaname <> 'information_schema'`,
      )
    )[0]

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'off' })
    await run('postgres', 'create role guest login')
    for (const database of ['bare', 'extended', 'whole']) await run('postgres', `create database ${database}`)
    await run('extended', 'create extension vector; create extension pg_trgm')
  }, 60_000)
  afterAll(() => postgres?.stop())

  test('the start lists all that is missing at once', async () => {
    const DATABASE_URL = as('guest', 'bare')
    const sentence = await startRefused({
      DATABASE_URL,
      ROLE: 'worker',
      // The library of the bucket warns about the version of Node.
      NODE_NO_WARNINGS: '1',
      FILES: 's3://elsewhere/media',
      S3_ENDPOINT: await startStore(),
      AWS_REGION: 'nowhere',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'never-to-be-shown',
      CHAIN_RPC_URL: await startChain(1),
      CHAIN_ID: '1234',
      CONTRACT_ADDRESS: CONTRACT,
      SOCIAL_NETWORK: 'x-oembed',
    })
    expect(sentence).toContain(
      '"guest" may not create the extension pgvector. Let a superuser run "create extension vector"',
    )
    expect(sentence).toContain(
      'may not create tables in the schema "public". Let its owner run "grant create on schema',
    )
    expect(sentence).toContain(
      'FILES: the bucket elsewhere cannot be used: a file could not be written (NoSuchBucket).',
    )
    expect(sentence).toContain('CHAIN_RPC_URL: the chain there has the id 1, and CHAIN_ID is 1234.')
    expect(await countTables('bare')).toEqual({ n: 0 })
  })

  test('the start of an account that has the extensions but may not create tables changes nothing', async () => {
    const sentence = await startRefused({ DATABASE_URL: as('guest', 'extended'), ROLE: 'worker' })
    expect(sentence).toMatch(
      /^Rookery cannot start: DATABASE_URL: "guest" may not create tables in the schema "public"\. [^.]*\.$/,
    )
    expect(await countTables('extended')).toEqual({ n: 0 })
  })

  test('the command shows each check and what mends it, and fails only for what keeps the service from starting', async () => {
    const [CHAIN_RPC_URL, REDIS_URL] = [await startChain(1234), 'redis://127.0.0.1:1']
    const chain = { CHAIN_RPC_URL, CHAIN_ID: '1234', CONTRACT_ADDRESS: CONTRACT, SOCIAL_NETWORK: 'x-oembed' }
    const bad = await preflight({ DATABASE_URL: as('guest', 'bare'), REDIS_URL, ...chain })
    expect(bad.code).toBe(1)
    expect(bad.lines).toEqual([
      expect.stringMatching(/^ok {7}PostgreSQL /),
      expect.stringMatching(/^ok {7}migrations +\d+ are missing, which the start applies$/),
      expect.stringMatching(/^ok {7}connections +it may need 11 of \d+$/),
      expect.stringMatching(/^failed {3}extensions +.* run "create extension vector"/),
      expect.stringMatching(/^failed {3}privileges +.* run "grant create on schema public to guest"/),
      expect.stringMatching(/^ok {7}clock /),
      expect.stringMatching(/^ok {7}data folder +.* does not exist yet and can be made$/),
      expect.stringMatching(/^failed {3}chain +CONTRACT_ADDRESS: there is no contract at 0x1+ on the chain 1234\./),
      expect.stringMatching(/^warning {2}Redis +REDIS_URL: Redis at 127\.0\.0\.1:1 does not answer/),
    ])
    expect(await countTables('bare')).toEqual({ n: 0 })
    const good = await preflight({ DATABASE_URL: as('postgres', 'whole'), REDIS_URL })
    expect(good.lines.filter((line) => line.startsWith('failed'))).toEqual([])
    expect(good.code).toBe(0)
    expect(await countTables('whole')).toEqual({ n: 0 })
  })

  test('migrations are listed, applied apart from the start, and required by one that is told so', async () => {
    const env = { PATH: process.env.PATH, DATABASE_URL: as('postgres', 'whole'), DATA_DIR: await makeFolder() }
    const operate = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [OPERATE, ...args], { env, encoding: 'utf8' })
      return { status, text: stdout + stderr }
    }
    const listed = operate('migrate', '--check')
    expect(listed.status).toBe(1)
    expect(listed.text).toMatch(/^\d+ migrations are missing:\n0001_foundation\.sql {2}online; older versions may not/)
    expect(await countTables('whole')).toEqual({ n: 0 })
    const refused = await startRefused({ DATABASE_URL: env.DATABASE_URL, ROLE: 'worker', MIGRATE: 'never' })
    expect(refused).toMatch(
      /The database lacks \d+ migrations of this version, and MIGRATE is never: run rookery-operate migrate first\.$/,
    )
    expect(operate('migrate')).toMatchObject({
      status: 0,
      text: expect.stringMatching(/^Applied:\n0001_foundation\.sql\n/),
    })
    expect(operate('migrate', '--check')).toEqual({ status: 0, text: 'No migration is missing.\n' })
    expect(operate('migrate')).toEqual({ status: 0, text: 'No migration is missing.\n' })
    expect(operate('migrate', '--chek').status).toBe(2)
    // Now an account that may create nothing can look, and finds nothing missing.
    await run('whole', 'grant select on all tables in schema public to guest')
    const { lines } = await preflight({ DATABASE_URL: as('guest', 'whole') })
    expect(lines[1]).toMatch(/^ok {7}migrations +none is missing$/)
  }, 60_000)
})
