import { setTimeout as wait } from 'node:timers/promises'
import { noDeadlines, openPostgres } from '@rookery/server/database'
import type { Pool } from 'pg'
import { readFacts, recount, WORD } from '../kills/facts.js'
import type { Ledger } from '../kills/ledger.js'
import type { Findings } from './findings.js'
import { compareWithLog, isUpToDate, type Listener } from './listeners.js'
import { membersOf, type Stage } from './stage.js'

const WITHIN_MS = 60_000

// Regular maintenance is always scheduled; these jobs come from the callers' actions.
const JOBS = `select kind, count(*)::int as count, min(run_at) - now() as due_in from job
  where kind in ('publish_tweet', 'tell_followers', 'remove_notifications', 'embed_tweet') group by kind`

const DRAFTS = 'select count(*)::int as count from event_draft'

// Every tweet of the run has to be in the log once, and no other tweet.
const wrongEvents = (since: number) => `
  select 'in the log ' || count(event.id) || ' times: the tweet ' || tweet.id as line
  from tweet left join event on event.tweet_id = tweet.id and event.type = 'tweet.created'
  where tweet.content like '${WORD} %' group by tweet.id having count(event.id) <> 1
  union all
  select 'in the log without having been written: the tweet ' || made.tweet_id from event made
  where made.type = 'tweet.created' and made.id > ${since}
    and not exists (select from tweet where tweet.id = made.tweet_id)
    and not exists (select from event gone where gone.type = 'tweet.deleted' and gone.tweet_id = made.tweet_id)`

interface Ending {
  readonly stage: Stage
  readonly ledger: Ledger
  readonly listeners: readonly Listener[]
  readonly findings: Findings
}

/** Checks everything once all faults are healed and all writers have stopped. */
export async function judge({ stage, ledger, listeners, findings }: Ending): Promise<void> {
  await inspectDatabase(stage, async (pool) => {
    for (const line of await waitForEnd(pool, stage, listeners)) findings.add(line)
    await Promise.all(listeners.map((listener) => listener.stop()))
    // Nothing may write during the recount, not even a program that was frozen in the middle of a request.
    await Promise.all(membersOf(stage).map((member) => member.stop()))
    for (const line of ledger.settle(await readFacts(pool))) findings.add(line)
    for (const line of await recount(pool)) findings.add(line)
    const { rows } = await pool.query<{ line: string }>(wrongEvents(stage.lastEventId))
    for (const { line } of rows) findings.add(line)
    for (const listener of listeners)
      for (const line of await compareWithLog(pool, listener, stage.lastEventId)) findings.add(line)
  })
}

/** Opens the database directly, bypassing all lines. */
export async function inspectDatabase<T>({ postgres }: Stage, work: (pool: Pool) => Promise<T>): Promise<T> {
  const { pool, close } = openPostgres(postgres.url, { poolSize: 2, deadlines: noDeadlines })
  try {
    return await work(pool)
  } finally {
    await close()
  }
}

/** Waits until all work is finished. Returns what is still unfinished after the time limit. */
async function waitForEnd(pool: Pool, stage: Stage, listeners: readonly Listener[]): Promise<string[]> {
  const until = performance.now() + WITHIN_MS
  for (;;) {
    const open = await findOpen(pool, stage, listeners)
    if (open.length === 0 || performance.now() > until)
      return open.map((line) => `${WITHIN_MS / 1000} s after the last fault: ${line}`)
    await wait(200)
  }
}

async function findOpen(pool: Pool, stage: Stage, listeners: readonly Listener[]): Promise<string[]> {
  const open: string[] = []
  for (const web of stage.webs) {
    const health = await readHealth(web.url)
    if (health !== 'ok') open.push(`${web.name} says ${health}`)
  }
  const { rows: jobs } = await pool.query<{ kind: string; count: number; due_in: unknown }>(JOBS)
  for (const { kind, count, due_in } of jobs) open.push(`${count} jobs ${kind} wait, due in ${JSON.stringify(due_in)}`)
  const { rows: drafts } = await pool.query<{ count: number }>(DRAFTS)
  if (drafts[0]?.count) open.push(`${drafts[0].count} events have no place in the log`)
  // Listeners can only be up to date once everything else is finished.
  if (open.length > 0) return open
  for (const listener of listeners)
    if (!(await isUpToDate(pool, listener))) open.push(`${listener.name} waits for events`)
  return open
}

async function readHealth(url: string): Promise<string> {
  const signal = AbortSignal.timeout(5_000)
  const answer = await fetch(`${url}/v1/health`, { signal }).then(
    async (response) => (await response.json()) as { status?: string; checks?: unknown; message?: string },
    (error: Error) => ({ status: undefined, checks: undefined, message: error.message }),
  )
  return answer.status === 'ok' ? 'ok' : JSON.stringify({ ...answer, version: undefined })
}
