import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEmbedded } from '@rookery/server/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectSecrets, createSecrets, type Secrets, USERNAME } from './secrets/collect.js'
import { findIn } from './secrets/find.js'
import { listFiles, OWN_FILES, shapesIn } from './secrets/shapes.js'
import { startOtlpReceiver } from './start/otlp-receiver.js'
import { copyTemplate, startProgram } from './start-program.js'

const BUNDLE = fileURLToPath(new URL('../../web/dist', import.meta.url))

let dataDir: string
let secrets: Secrets
let log: string
let metrics: string
let traces: Buffer
/** Nothing secret, to see that the search finds what is there. */
const control = createSecrets()
control.add('username', USERNAME)

beforeAll(async () => {
  dataDir = await copyTemplate()
  const collector = await startOtlpReceiver()
  const program = await startProgram({
    dataDir,
    env: { LOG_LEVEL: 'trace', WEBHOOKS_ALLOW_PRIVATE: 'yes', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  })
  try {
    secrets = await collectSecrets(program.url)
    metrics = await (await fetch(`${program.url}/metrics`)).text()
  } finally {
    await program.stop()
    log = program.output()
    traces = collector.bytes()
    await collector.stop()
  }
  for (const name of OWN_FILES)
    if (existsSync(join(dataDir, name)))
      secrets.add(`the file ${name}`, readFileSync(join(dataDir, name), 'utf8').trim())
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

describe('keys, tokens, nonces and codes', () => {
  test('are collected from everything that makes them', () => {
    const kinds = new Set(
      secrets
        .list()
        .map(({ what }) => what.replace(/^(.*?(?:key|token|nonce|signature|secret|cookie|ticket)) of .*/, '$1')),
    )
    expect([...kinds].sort()).toEqual([...EXPECTED].sort())
  })

  test('have the forms that are searched for whenever a program of this suite ends', () => {
    const forms = new Set(secrets.list().flatMap(({ value }) => shapesIn(value)))
    expect([...forms].sort()).toEqual(['a session token', 'a ticket', 'a webhook secret', 'an API key'])
  })

  test('are not in the log at its most verbose', () => {
    expect(log).toContain('/v1/auth/twitter/callback')
    // Here a library logs the headers of a request.
    expect(log).toContain('busboyOptions')
    expect(findIn(secrets, Buffer.from(log))).toEqual([])
  })

  test('are not in the metrics', () => {
    expect(metrics).toContain('rookery_')
    expect(findIn(secrets, Buffer.from(metrics))).toEqual([])
  })

  test('are not in the traces', () => {
    expect(traces.includes('/v1/auth/twitter/callback')).toBe(true)
    expect(findIn(secrets, traces)).toEqual([])
  })

  test('are not in any row of the database', async () => {
    const database = await openEmbedded(join(dataDir, 'database'), { image: undefined })
    try {
      const { rows: tables } = await database.pool.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema')`,
      )
      expect(tables.length).toBeGreaterThan(40)
      const found: string[] = []
      let seen = 0
      for (const { name } of tables) {
        const { rows } = await database.pool.query<{ row: string }>(`select it::text as row from ${name} it`)
        for (const { row } of rows) {
          const content = Buffer.from(row)
          seen += findIn(control, content).length
          found.push(...findIn(secrets, content).map((what) => `${what} in ${name}`))
        }
      }
      expect(seen).toBeGreaterThan(0)
      expect(found).toEqual([])
    } finally {
      await database.close()
    }
  })

  test('are not in any file of the data folder, the log of the database included', () => {
    const files = listFiles(dataDir)
    const holders = files.filter((file) => findIn(control, readFileSync(file)).length > 0)
    expect(holders.some((file) => file.includes('/pg_wal/'))).toBe(true)
    expect(holders.some((file) => file.includes('/base/'))).toBe(true)
    const found = files
      .filter((file) => !OWN_FILES.has(relative(dataDir, file)))
      .flatMap((file) => findIn(secrets, readFileSync(file)).map((what) => `${what} in ${relative(dataDir, file)}`))
    expect(found).toEqual([])
  })

  test('are not in the bundle of the page', () => {
    const files = listFiles(BUNDLE)
    expect(files.length).toBeGreaterThan(5)
    for (const file of files) expect(findIn(secrets, readFileSync(file))).toEqual([])
  })
})

/** What the walk must have seen, so that a walk that stops short does not pass. */
const EXPECTED = [
  'access token',
  'API key',
  'browser cookie',
  'claim token',
  'code of a login',
  'code verifier',
  'nonce',
  'refresh token',
  'signature',
  'state of a login',
  'the file bank-key',
  'the file operator-key',
  'the file server-secret',
  'ticket',
  'webhook secret',
]
