import { escapeLiteral, type PoolClient } from 'pg'
import type { Statement } from './record.js'

/** How PostgreSQL executed a statement. */
export interface Explained {
  readonly plan: string
  readonly executionMs: number
  readonly planningMs: number
  /** Pages of 8 KB that were read. */
  readonly buffers: number
  /** Whether PostgreSQL chose one generic plan for all parameters. */
  readonly isGeneric: boolean
  /** Large tables with a sequential scan. */
  readonly seqScans: readonly string[]
}

const LARGE = [
  'agent',
  'agent_name',
  'api_key',
  'follow',
  'tweet',
  'tweet_like',
  'tweet_engagement',
  'notification',
  'inbox',
  'trade',
]
const UNTIL_CACHED = 6
const RUNS = 5

/**
 * Explains a statement after running it often enough for PostgreSQL to choose between a generic plan and a new plan each
 * time: the service uses named statements, so it gets the result of that choice.
 */
export async function explain(client: PoolClient, { text, values, settings }: Statement): Promise<Explained> {
  const name = 'explained'
  const parameters = values.length === 0 ? '' : `(${values.map(literalOf).join(', ')})`
  await client.query(`prepare ${name} as ${text}`)
  try {
    const run = (statement: string) => inTransaction(client, statement, settings)
    for (let used = 0; used < UNTIL_CACHED; used++) await run(`execute ${name}${parameters}`)
    const runs: Omit<Explained, 'isGeneric'>[] = []
    for (let done = 0; done < RUNS; done++)
      runs.push(readPlan(await run(`explain (analyze, buffers) execute ${name}${parameters}`)))
    const isGeneric = await usesGenericPlan(client, name)
    const [median] = runs.sort((a, b) => a.executionMs - b.executionMs).slice(Math.floor(RUNS / 2))
    if (!median) throw new Error('nothing was explained')
    return { ...median, isGeneric }
  } finally {
    await client.query(`deallocate ${name}`)
  }
}

async function inTransaction(client: PoolClient, statement: string, settings?: Statement): Promise<string[]> {
  await client.query('begin')
  try {
    if (settings) await client.query(settings.text, [...settings.values])
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(statement)
    return rows.map((row) => row['QUERY PLAN'])
  } finally {
    await client.query('rollback')
  }
}

async function usesGenericPlan(client: PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ generic: boolean }>(
    'select generic_plans > 0 as generic from pg_prepared_statements where name = $1',
    [name],
  )
  return rows[0]?.generic === true
}

function readPlan(lines: readonly string[]): Omit<Explained, 'isGeneric'> {
  const plan = lines.join('\n')
  const number = (pattern: RegExp) => Number(pattern.exec(plan)?.[1] ?? 0)
  const [head = ''] = plan.split(/^Planning:/m)
  const top = /Buffers: shared([^\n]*)/.exec(head)?.[1] ?? ''
  const scanned = [...plan.matchAll(/Seq Scan on (\w+)(?: (\w+))?/g)].map((match) => match[1] ?? '')
  return {
    plan,
    executionMs: number(/Execution Time: ([\d.]+) ms/),
    planningMs: number(/Planning Time: ([\d.]+) ms/),
    buffers: [...top.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, match) => sum + Number(match[1]), 0),
    seqScans: [...new Set(scanned)].filter((table) => LARGE.includes(table)),
  }
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return escapeLiteral(value.toISOString())
  if (Buffer.isBuffer(value)) return escapeLiteral(`\\x${value.toString('hex')}`)
  if (Array.isArray(value)) return escapeLiteral(`{${value.map((item) => JSON.stringify(String(item))).join(',')}}`)
  return escapeLiteral(String(value))
}
