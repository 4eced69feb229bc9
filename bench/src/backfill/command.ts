import { type ChildProcess, fork } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  createEventLog,
  createHttpRpc,
  createIds,
  createLonePeers,
  createProgressBar,
  createShareFollower,
  systemClock,
} from '@rookery/server/chain'
import { migrate, noDeadlines, type OpenDatabase, openPostgres } from '@rookery/server/database'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { startPostgres } from '@rookery/tooling/require-postgres'
import { textTable } from '@rookery/tooling/table'
import { pino } from 'pino'
import { backendPids, cpuSeconds } from '../program/cpu-seconds.js'
import { createShareMarket } from './share-market.js'

const GOAL_PER_SECOND = 15_000
// Measured on the same kind of machine with the same kind of events.
const OTHERS = { 'Ponder 0.16, one event a block': 105, 'Ponder 0.16, 70 events a block': 1_250 }

export const command: Command = {
  summary: 'How many trades a second the follower reads from a chain and applies to PostgreSQL.',
  options: [
    ['--events <n>', 'default 1,000,000'],
    ['--per-block <n>', 'trades in a block (default 10)'],
  ],
  async run(args) {
    const options = readOptions(args, { events: 1_000_000, 'per-block': 10 })
    const postgres = await startPostgres({ shared_buffers: '512MB', max_wal_size: '4GB' })
    const database = openPostgres(postgres.url('postgres'), { deadlines: noDeadlines })
    const chain = startChain(options.events, options['per-block'])
    try {
      await migrate(database.pool)
      await addAgents(database)
      await measure(database, await chain.ready, options.events)
    } finally {
      chain.process.kill()
      await database.close()
      await postgres.stop()
    }
  },
}

interface Stub {
  readonly url: string
  readonly contract: `0x${string}`
}

/** A chain of simulated trades in its own process. */
function startChain(events: number, perBlock: number): { process: ChildProcess; ready: Promise<Stub> } {
  const file = fileURLToPath(new URL('./rpc-stub.ts', import.meta.url))
  const process = fork(file, [String(events), String(perBlock)])
  return { process, ready: new Promise((resolve) => process.once('message', (stub) => resolve(stub as Stub))) }
}

/** Adds the agents whose shares are traded, so that the follower has to update their figures too. */
async function addAgents({ pool }: OpenDatabase): Promise<void> {
  const ids = createIds(systemClock)
  const { subjects } = createShareMarket(0)
  const columns = (['name', 'owner', 'subject'] as const).map((key) => subjects.map((subject) => subject[key]))
  await pool.query(
    `insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
     select id, name, name, name, owner, subject, 'active', now(), now()
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as it (id, name, owner, subject)`,
    [subjects.map(() => ids.next()), ...columns],
  )
}

async function measure(database: OpenDatabase, { url, contract }: Stub, events: number): Promise<void> {
  const { db } = database
  const log = pino({ level: 'warn' })
  const identities = {
    findKept: () => undefined,
    identify: async () => undefined,
    forget: async () => {},
    endOlderCalls: async () => {},
    onForgotten: () => {},
  }
  const clock = systemClock
  const ids = createIds(clock)
  const deps = { db, clock, ids, identities, log, events: createEventLog({ clock }), peers: createLonePeers() }
  const follower = createShareFollower(deps, {
    chain: { id: 31_337, contract, rpc: createHttpRpc(url) },
    onProgress: createProgressBar(pino({ level: 'silent' }), clock).show,
  })
  const backends = await backendPids(db)
  const cpuBefore = { own: process.cpuUsage(), postgres: await cpuSeconds(backends) }
  const startedAt = performance.now()
  await follower.catchUp()
  const seconds = (performance.now() - startedAt) / 1000
  const own = process.cpuUsage(cpuBefore.own)
  const postgres = (await cpuSeconds(await backendPids(db))) - cpuBefore.postgres
  const cpu = { own: (own.user + own.system) / 1e6, postgres }
  await follower.stop()
  await check(database, events)

  const perSecond = events / seconds
  const others = Object.entries(OTHERS).map(([name, theirs]) => [name, String(theirs), (perSecond / theirs).toFixed(1)])
  const micro = (spent: number) => `${((spent / events) * 1e6).toFixed(0)} µs`
  console.log(
    `${events.toLocaleString('en')} trades in ${seconds.toFixed(1)} s, load average ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log(`CPU time of a trade: follower ${micro(cpu.own)}, PostgreSQL ${micro(cpu.postgres)}`)
  const goal = ['goal', String(GOAL_PER_SECOND), (perSecond / GOAL_PER_SECOND).toFixed(2)]
  console.log(textTable(['', 'events/s', 'ratio'], [['Rookery', String(Math.round(perSecond)), ''], goal, ...others]))
}

/** Fails unless every trade was applied and the figures agree with the holdings. */
async function check({ pool }: OpenDatabase, events: number): Promise<void> {
  const { rows } = await pool.query<Record<'total' | 'trades' | 'supply' | 'held', string>>(`
    select (select trades_count from trade_total) as total, sum(trades_count) as trades, sum(supply) as supply,
      (select sum(amount) from share_holding) as held from agent`)
  const [row] = rows
  if (Number(row?.total) !== events || Number(row?.trades) !== events)
    throw new Error(`${row?.total} of ${events} trades were applied`)
  if (row?.supply !== row?.held) throw new Error(`supplies add up to ${row?.supply}, holdings to ${row?.held}`)
}
