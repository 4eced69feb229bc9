import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createFollower } from '@rookery/server/chain/follow-chain'
import { createProgressBar } from '@rookery/server/chain/progress'
import { createHttpRpc } from '@rookery/server/chain/rpc'
import { createIds, systemClock } from '@rookery/server/clock'
import { openPostgres } from '@rookery/server/db/connect'
import { migrate } from '@rookery/server/db/migrate'
import { pino } from 'pino'
import { startPostgres } from '../../scripts/postgres.mjs'
import { createShareMarket } from './share-market.js'

// How many trades a second the follower applies on PostgreSQL. Usage: backfill.ts [events] [eventsPerBlock]
const [events = 1_000_000, perBlock = 10] = process.argv.slice(2).map(Number)
const RESEARCHED = { 'Ponder 0.16 (one event a block)': 105, 'Ponder 0.16 (70 events a block)': 1_250 }

const postgres = await startPostgres({ shared_buffers: '512MB', max_wal_size: '4GB' })
const database = openPostgres(postgres.url('postgres'))
await migrate(database.pool)
await addAgents()

const stub = fork(fileURLToPath(new URL('./rpc-stub.ts', import.meta.url)), [String(events), String(perBlock)])
const { url, contract } = await new Promise<{ url: string; contract: `0x${string}` }>((resolve) =>
  stub.once('message', (message) => resolve(message as { url: string; contract: `0x${string}` })),
)

const bar = createProgressBar(pino({ level: 'silent' }), systemClock)
const follower = createFollower({
  deps: {
    db: database.db,
    clock: systemClock,
    ids: createIds(systemClock),
    identities: { identify: async () => undefined, forget: async () => {} },
    log: pino({ level: 'warn' }),
  },
  chain: { id: 31_337, contract, rpc: createHttpRpc(url) },
  onProgress: bar.show,
})
const startedAt = performance.now()
const cpuBefore = process.cpuUsage()
await follower.catchUp()
const seconds = (performance.now() - startedAt) / 1000
const cpu = process.cpuUsage(cpuBefore)
await follower.stop()

const { rows } = await database.pool.query('select trades_count, volume_wei from trade_total')
const { rows: agents } = await database.pool.query(
  'select sum(supply) as supply, sum(trades_count) as trades from agent',
)
const { rows: held } = await database.pool.query('select sum(amount) as amount, count(*) as pairs from share_holding')
if (Number(rows[0].trades_count) !== events || Number(agents[0].trades) !== events)
  throw new Error(`${rows[0].trades_count} of ${events} events were applied`)
if (agents[0].supply !== held[0].amount) throw new Error('supplies and holdings differ')
const perSecond = events / seconds
console.log(
  `${events} trades in ${seconds.toFixed(1)} s: ${Math.round(perSecond)} events/s (${perBlock} a block, ${held[0].pairs} holdings)`,
)
console.log(`CPU of the follower itself: ${((cpu.user + cpu.system) / 1e6).toFixed(1)} s`)
for (const [name, theirs] of Object.entries(RESEARCHED))
  console.log(`${name}: ${theirs} events/s, ratio ${(perSecond / theirs).toFixed(1)}`)
console.log(`peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)

stub.kill()
await database.close()
await postgres.stop()

async function addAgents(): Promise<void> {
  const ids = createIds(systemClock)
  const { subjects } = createShareMarket(0)
  await database.pool.query(
    `insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
     select id, name, name, name, owner, subject, 'active', now(), now()
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as it (id, name, owner, subject)`,
    [
      subjects.map(() => ids.next()),
      ...(['name', 'owner', 'subject'] as const).map((key) => subjects.map((it) => it[key])),
    ],
  )
}
