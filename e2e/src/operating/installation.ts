import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@rookery/sdk'
import { findPgbouncer, startPgbouncer } from '@rookery/tooling/pgbouncer'
import { startPostgres } from '@rookery/tooling/postgres'
import { Client } from 'pg'
import { expect } from 'vitest'
import { copyTemplate, type Program, startProgram } from '../start-program.js'
import { type NewAgent, registerAgent, verifyAgent } from '../web/agents.js'
import { readBlocksOf, type Step } from './page.js'
import { createOperator, createShell, type Operator, type Ran, withCommand } from './shell.js'
import type { Run } from './treatments.js'

const SOON = { timeout: 60_000, interval: 100 }
const OLD = 'the-first-secret-of-the-test-0123456789'
const NEW = 'another-secret-of-the-test-0123456789ab'
const DAY = '2026-01-31'
const MODERATOR = `0x3c44${'dd'.repeat(18)}`
const BANNED = `0x70a4${'ee'.repeat(18)}`

type Server = Awaited<ReturnType<typeof startPostgres>>

/** An installation that an operator sets up and keeps running, step by step: PostgreSQL with a standby, and one with everything embedded. */
export interface Installation {
  /** Runs a step as it is written, with what is true here in the place of its examples. */
  run(step: Step, treatment: Run): Promise<Ran>
  /** What happens between the steps, by the name of the next one. */
  readonly before: Readonly<Record<string, () => Promise<void>>>
  /** Whether everything that was written is there in the end, and goes on. */
  requireAllKept(): Promise<void>
  leave(): Promise<void>
}

export async function createInstallation(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-operating-'))
  const [dataDir, backups] = [join(folder, 'data'), join(folder, 'backups')]
  await mkdir(backups)
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })]
  const [shell, embedded, primary] = await Promise.all([createShell(folder), copyTemplate(), startPostgres(QUICK)])
  closing.push(() => rm(embedded, { recursive: true, force: true }), stopOnce(primary))
  const pooler = await startPooler(primary)
  if (pooler) closing.push(pooler.stop)

  let standby: Server | undefined
  let program: Program | undefined
  let operator: Operator | undefined
  let secret = OLD
  let parley: NewAgent
  let tweetId = ''
  const words: Record<string, string> = {}
  const servers = () => [primary.folder, standby?.folder].filter(Boolean).join(',')
  const urlOf = (user: string, host: string) => `postgresql://${user}@/rookery?host=${host}`
  const url = () => `${urlOf('rookery', servers())}&target_session_attrs=read-write`
  const env = () => ({
    ...{ PGHOST: servers(), PGUSER: 'postgres', PGTARGETSESSIONATTRS: 'read-write' },
    ...{ DATABASE_URL: url(), DATA_DIR: dataDir, SERVER_SECRET: secret, LOG_LEVEL: 'warn' },
    ...{ WRITES_REQUIRE: 'none', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' },
  })

  /** What is true here, in the place of the page's examples; longer ones first. */
  const examples = (): [string, string][] => [
    ['postgres://rookery:secret@10.0.0.4:5432,10.0.0.5:5432/rookery?target_session_attrs=read-write', url()],
    ['postgres://rookery:secret@10.0.0.4:5432/rookery', urlOf('rookery', primary.folder)],
    // The pooler of the test logs in as the superuser.
    ['postgres://rookery:secret@10.0.0.5:6432/rookery', pooler?.url('rookery') ?? urlOf('rookery', primary.folder)],
    ['postgres://replicator:secret@10.0.0.4:5432', primary.url('postgres')],
    ['10.0.0.5', standby?.folder ?? ''],
    ['$(date +%F)', DAY],
    ['/backups', backups],
    ['/var/lib/rookery', join(folder, 'restored')],
    ['=old', `=${OLD}`],
    [',old', `,${OLD}`],
    ['=new', `=${NEW}`],
    [',new', `,${NEW}`],
    ...Object.entries(words),
  ]
  const fillIn = (text: string) => examples().reduce((filled, [word, value]) => filled.replaceAll(word, value), text)

  async function ask<T>(statement: string, values: unknown[] = []): Promise<T | undefined> {
    const client = new Client({
      connectionString: urlOf('postgres', isFailedOver ? (standby?.folder ?? '') : primary.folder),
    })
    await client.connect()
    const { rows } = await client.query(statement, values)
    await client.end()
    return Object.values(rows[0] ?? {})[0] as T | undefined
  }
  let isFailedOver = false

  async function start(): Promise<Program> {
    const { DATABASE_URL, SERVER_SECRET, WRITES_REQUIRE } = env()
    const started = await startProgram({ dataDir, env: { DATABASE_URL, SERVER_SECRET, WRITES_REQUIRE } })
    closing.push(() => started.stop())
    return started
  }

  return {
    async run({ name, kind, text }, { on, sets }) {
      if (kind === 'command') {
        operator ??= createOperator(env())
        return operator.run(fillIn(text))
      }
      const { DATABASE_URL: _, SERVER_SECRET: __, ...without } = env()
      const how = { env: on === 'embedded' ? { ...without, DATA_DIR: embedded } : env() }
      // The standby is asked for by its name.
      if (name === 'Failover') return shell(fillIn(text), { env: {} })
      if (name === 'Several servers') return startStandby(text)
      if (name === 'Back to a moment (PostgreSQL)')
        return shell(fillIn(text), { ...how, cwd: join(backups, `base-${DAY}`) })
      return shell(sets === undefined ? fillIn(text) : withCommand(fillIn(text), sets), how)
    },

    before: {
      async Upgrading() {
        program = await start()
        parley = await registerAgent(program.url, { username: 'parley' })
        tweetId = (await parley.client.createTweet({ content: 'What an operator keeps.' })).id
      },
      async 'Growth and retention'() {
        const month = await ask<string>(`select max(inhrelid::regclass::text) from pg_inherits
          where inhparent = 'audit_entry'::regclass and inhrelid::regclass::text ~ '\\d{6}$'`)
        words.audit_entry_202612 = month ?? ''
      },
      async 'Rotating secrets 2'() {
        secret = `${NEW},${OLD}`
      },
      async jobs() {
        for (const kind of ['embed_tweet', 'embed_agent'])
          await ask(
            `insert into job (id, kind, payload, run_at, attempts, failed_at, last_error, created_at)
             values (gen_random_uuid(), $1, '{"id": "00000000-0000-7000-8000-000000000001"}', now(), 10, now(), 'no model', now())`,
            [kind],
          )
        words['0x70a4…'] = BANNED
        words['0x3c44…'] = MODERATOR
      },
      ...naming('job 0199…', () => ask(`select id from job where failed_at is not null and kind = 'embed_tweet'`)),
      ...naming('cancel-job 0199…', () =>
        ask(`select id from job where failed_at is not null and kind = 'embed_agent'`),
      ),
      ...naming("hide 0199… --reason 'Names a child'", async () => tweetId),
      async 'erase-agent magpie'() {
        const { url = '' } = program ?? {}
        await registerAgent(url, { username: 'magpie' })
        await verifyAgent(await registerAgent(url, { username: 'jay' }), 'mo_lindt')
      },
      ...naming('drain 0199…', () => ask('select id from instance order by seen_at desc limit 1')),
      ...naming('why 0199…', async () => {
        const response = await fetch(`${program?.url}/v1/agents/me`, { headers: { authorization: 'Bearer sk_0' } })
        const { requestId } = (await response.json()) as { requestId: string }
        await expect.poll(() => ask('select 1 from refused_call where request_id = $1', [requestId]), SOON).toBe(1)
        return requestId
      }),
      async Failover() {
        await operator?.leave()
        const written = await ask<string>('select pg_current_wal_lsn()::text')
        isFailedOver = true
        await expect.poll(() => ask('select pg_last_wal_replay_lsn() >= $1', [written]), SOON).toBe(true)
        await primary.stop()
      },
      async Restoring() {
        const read = async () => (await fetch(`${program?.url}/v1/health`)).json() as Promise<{ status: string }>
        await expect.poll(async () => (await read()).status, SOON).toBe('ok')
        expect((await parley.client.getTweet({ id: tweetId })).content).toBe('What an operator keeps.')
        expect(await program?.stop()).toBe(0)
      },
    },

    async requireAllKept() {
      program = await start()
      const client = createClient({ baseUrl: program.url }).as({ apiKey: parley.apiKey })
      expect((await client.getMe()).username).toBe('parley')
      expect((await client.getTweet({ id: tweetId })).content).toBe('What an operator keeps.')
      expect(await readdir(join(folder, 'restored'))).toContain('manifest.json')
      const recovery = await readFile(join(backups, `base-${DAY}`, 'postgresql.auto.conf'), 'utf8')
      expect(recovery).toContain("recovery_target_action = 'promote'")
    },

    async leave() {
      await operator?.leave()
      for (const close of closing.reverse()) await close()
    },
  }

  function naming(step: string, find: () => Promise<string | undefined>) {
    return {
      async [step]() {
        words['0199…'] = (await find()) ?? 'nothing was found'
      },
    }
  }

  async function startStandby(text: string): Promise<Ran> {
    let ran: Ran | undefined
    standby = await startPostgres({ ...QUICK, hot_standby: 'on' }, async (data) => {
      const script = fillIn(text).replaceAll('/var/lib/postgresql/15/standby', data)
      ran = await shell(script, { env: {}, isForServer: true })
    })
    closing.push(stopOnce(standby))
    return ran ?? { code: null, output: '' }
  }
}

const QUICK = { fsync: 'off', wal_level: 'replica', wal_keep_size: '64MB' }

/** PgBouncer with the settings of the page, where it is installed. */
async function startPooler({ folder }: Server) {
  const generation = (['new', 'old'] as const).find((generation) => findPgbouncer(generation))
  const text = readBlocksOf('ini').find((text) => text.includes('[pgbouncer]')) ?? ''
  const pairs = [...text.matchAll(/^(pool_mode|default_pool_size|max_client_conn|max_prepared_statements) = (\w+)$/gm)]
  expect(pairs).toHaveLength(4)
  const known = pairs.filter(([, name]) => generation === 'new' || name !== 'max_prepared_statements')
  const settings = Object.fromEntries(known.map(([, name = '', value = '']) => [name, value]))
  return generation && startPgbouncer(generation, { folder, settings })
}

/** Stops a server that a step may have stopped before. */
function stopOnce(server: Server): () => Promise<void> {
  const stop = server.stop
  let stopped: Promise<void> | undefined
  server.stop = () => {
    stopped ??= stop.call(server)
    return stopped
  }
  return server.stop
}
