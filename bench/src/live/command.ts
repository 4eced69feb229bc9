import { readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import type { Deps } from '@rookery/server/service'
import { openService } from '@rookery/server/test/open-service'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { startPostgres } from '@rookery/tooling/require-postgres'
import { textTable } from '@rookery/tooling/table'
import sql from 'sql-template-tag'
import { quantile } from '../output/statistics.js'
import { openAt } from '../postgres/open.js'
import { type Program, startProgram } from '../program/start-program.js'
import { type Clients, openClients } from './clients.js'

const AGENTS = 100
const TICK_MS = 10
const MOST_AT_ONCE = 50

export const command: Command = {
  summary: 'Live events to many connections of one process: time from commit to client, and memory of a connection.',
  options: [
    ['--idle <n>', 'connections that receive nothing (default 10,000)'],
    ['--active <n>', `connections that each listen to one of ${AGENTS} agents (default 1,000)`],
    ['--rate <n>', 'events a second, in a transaction every 10 ms (default 1,000)'],
    ['--seconds <n>', 'how long (default 10)'],
  ],
  async run(args) {
    const options = readOptions(args, { idle: 10_000, active: 1_000, rate: 1_000, seconds: 10 })
    const server = await startPostgres({ shared_buffers: '256MB' })
    try {
      await measure(server.url('postgres'), options)
    } finally {
      await server.stop()
    }
  },
}

interface Options {
  readonly idle: number
  readonly active: number
  readonly rate: number
  readonly seconds: number
}

async function measure(url: string, { idle, active, rate, seconds }: Options): Promise<void> {
  const database = openAt(url)
  const service = await openService(database)
  const agents = await addAgents(service)
  const program = await startProgram({
    DATABASE_URL: url,
    SERVER_SECRET: database.secret,
    ROLE: 'web',
    STREAMS_PER_CALLER: '0',
  })
  const before = await memoryKb(program)
  const quiet = await openClients(program.url, idle, () => 'trades')
  const listening = await openClients(program.url, active, (index) => `agent:live_${index % AGENTS}`)
  const perConnection = ((await memoryKb(program)) - before) / (idle + active)
  const written = await write(service, agents, rate * seconds, rate)
  await waitFor(() => listening.latencies.length >= (written.events * active) / AGENTS)
  print({ idle, active, rate: written.rate, perConnection, rssMb: (await memoryKb(program)) / 1024 }, listening, quiet)
  quiet.close()
  listening.close()
  await program.stop()
  await service.close()
  await database.close()
}

async function addAgents({ db, ids }: Deps): Promise<string[]> {
  const made = Array.from({ length: AGENTS }, () => ids.next())
  await db.run(sql`
    insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
    select id, 'live_' || n - 1, 'live', 'live', 'wallet_' || n, 'subject_' || n, 'active', now(), now()
    from unnest(${made}::uuid[]) with ordinality as it (id, n)`)
  return made
}

/** Writes events at a rate, all due ones in one transaction; slower if the database cannot keep up. */
async function write({ db, events }: Deps, agents: readonly string[], count: number, rate: number) {
  const startedAt = performance.now()
  for (let written = 0; written < count; ) {
    const due = Math.min(count, written + MOST_AT_ONCE, Math.floor(((performance.now() - startedAt) / 1000) * rate))
    const some = Array.from({ length: due - written }, (_, index) => ({
      type: 'agent.updated' as const,
      agentId: agents[(written + index) % AGENTS] ?? null,
    }))
    await db.transaction((db) => events.append(db, some))
    written = due
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }
  return { events: count, rate: count / ((performance.now() - startedAt) / 1000) }
}

async function waitFor(isDone: () => boolean): Promise<void> {
  const until = performance.now() + 60_000
  while (!isDone() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50))
  if (!isDone()) throw new Error('Not all events arrived within a minute')
}

async function memoryKb({ pid }: Program): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1])
}

interface Figures {
  readonly idle: number
  readonly active: number
  readonly rate: number
  readonly perConnection: number
  readonly rssMb: number
}

function print({ idle, active, rate, perConnection, rssMb }: Figures, { latencies }: Clients, quiet: Clients): void {
  const ms = (share: number) => `${quantile(latencies, share).toFixed(0)} ms`
  console.log(
    textTable(
      ['what', 'measured'],
      [
        ['connections, idle and active', `${idle} + ${active}`],
        ['idle connections lost', String(quiet.lost)],
        ['events a second', rate.toFixed(0)],
        ['deliveries', String(latencies.length)],
        ['commit to client, median', ms(0.5)],
        ['commit to client, 99 %', ms(0.99)],
        ['memory of a connection', `${perConnection.toFixed(1)} KB`],
        ['memory of the process', `${rssMb.toFixed(0)} MB`],
        ['load of the machine', loadavg()[0]?.toFixed(1) ?? '?'],
      ],
    ),
  )
}
