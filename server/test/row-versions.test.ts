import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AGENT_COLUMNS } from '../src/features/tweets/queries.js'
import { readMigrations } from '../src/foundation/db/migrations.js'
import { findMiscounts } from './random-actions.js'
import type { SeededAgent } from './seed.js'
import { sourceFiles } from './source-files.js'
import { startServer } from './start-server.js'
import { listTemplates } from './statements/templates.js'

// What a process keeps of a row is used only with the version of that row, so whatever changes something that is shown has
// to count it.

const server = await startServer()
afterAll(() => server.stop())
const { pool } = server.deps.database

/** Of an agent, what others are shown with its tweets. Of the other tables, everything. */
const SHOWN_OF_AGENTS = [...AGENT_COLUMNS, 'status', 'labels']
const TABLES = ['tweet', 'agent', 'inbox', 'agent_control']

/** Statements whose table is not in their text. */
const OF_ANY_TABLE: Readonly<Record<string, string>> = {
  'server/src/features/moderation/apply.ts': 'counts the versions of tweets and agents by an interpolated part',
  'server/src/features/erasure/step.ts':
    'of these tables, takes only the account of an owner off agents, which is not shown',
}

const UPDATE = /\b(?:update (\w+|\?)(?: \w+)? set|insert into (\w+)[^;]*? do update\s+set)\b/g
const COUNTS = /\bversion = (\w+\.)?version \+ 1\b/

interface Update {
  readonly place: string
  readonly table: string
  readonly set: string
}

/** The updates in the statements of the source. */
async function listUpdates(): Promise<Update[]> {
  const templates = await listTemplates('server/src')
  return templates.flatMap(({ place, pieces }) => {
    const text = pieces.join('?')
    const found = [...text.matchAll(UPDATE)]
    return found.map((match, n) => ({
      place,
      table: match[1] ?? match[2] ?? '',
      set: text.slice(match.index + match[0].length, found[n + 1]?.index),
    }))
  })
}

function changesShown({ table, set }: Update): boolean {
  if (table !== 'agent') return TABLES.includes(table)
  const [assigned = ''] = set.split(/\b(?:from|where|returning)\b/)
  // What is interpolated as a whole may be anything.
  return /^\s*\?/.test(assigned) || SHOWN_OF_AGENTS.some((name) => new RegExp(`\\b${name} = `).test(assigned))
}

describe('the statements of the source', () => {
  test('count the version of a row when they change something of it that is shown', async () => {
    const updates = await listUpdates()
    expect(updates.filter(changesShown).length).toBeGreaterThan(20)
    const silent = updates.filter((update) => changesShown(update) && !COUNTS.test(update.set))
    expect(silent.map(({ place }) => place)).toEqual([])
  })

  test('name their table where it has a version, or are listed with what they do instead', async () => {
    const files = (await listUpdates()).filter(({ table }) => table === '?').map(({ place }) => place.split(':')[0])
    expect([...new Set(files)].sort()).toEqual(Object.keys(OF_ANY_TABLE).sort())
  })

  test('know no version of PostgreSQL’s, nor do tests, migrations and functions', async () => {
    const inside = new RegExp(`\\b${['x', 'min'].join('')}\\b`)
    const folders = ['server/src', 'server/test', 'bench/src', 'e2e/src', 'evaluations/src', 'demo/src', 'tooling']
    const files = (await Promise.all(folders.map((folder) => sourceFiles(folder, { tests: true })))).flat()
    expect(files.filter(({ text }) => inside.test(text)).map(({ path }) => path)).toEqual([])
    // An earlier one made a function that 0309 replaces.
    const later = readMigrations().filter(({ name, text }) => name > '0306' && inside.test(text))
    expect(later.map(({ name }) => name)).toEqual([])
    const { rows } = await pool.query(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~ $1`,
      [['x', 'min'].join('')],
    )
    expect(rows).toEqual([])
  })
})

describe('beside a program that knows nothing of versions', () => {
  let ada: SeededAgent
  let bob: SeededAgent
  let tweetId: string
  beforeAll(async () => {
    ;({ ada, bob } = await server.seed.agents('ada', 'bob'))
    tweetId = (await ada.client.createTweet({ content: 'hello' })).id
    await bob.client.likeTweet({ id: tweetId })
  })

  const versionOf = async (table: string, id: string) => {
    const key = table === 'tweet' || table === 'agent' ? 'id' : 'agent_id'
    const { rows } = await pool.query(`select version from ${table} where ${key} = $1`, [id])
    return Number(rows[0].version)
  }

  test('a change that is shown counts once, whoever makes it, and no other change of an agent does', async () => {
    await pool.query('insert into agent_control (agent_id, updated_at) values ($1, now())', [ada.id])
    const changes: [table: string, set: string, by: number][] = [
      ['tweet', 'likes_count = likes_count + 1', 1],
      ['tweet', 'likes_count = likes_count - 1, version = version + 1', 1],
      ['agent', `display_name = 'Ada the First'`, 1],
      ['agent', `display_name = 'Ada', version = version + 1`, 1],
      ['agent', 'last_ping_at = now(), holding_value_wei = 7, supply = supply', 0],
      ['agent', `display_name = display_name, status = status`, 0],
      ['inbox', 'unread = unread', 1],
      ['agent_control', 'frozen_reason = null', 1],
    ]
    for (const [table, set, by] of changes) {
      const id = table === 'tweet' ? tweetId : ada.id
      const before = await versionOf(table, id)
      await pool.query(
        `update ${table} set ${set} where ${table === 'tweet' || table === 'agent' ? 'id' : 'agent_id'} = $1`,
        [id],
      )
      expect([set, (await versionOf(table, id)) - before]).toEqual([set, by])
    }
  })

  test('rules that are made again have another version than the earlier ones', async () => {
    const before = await versionOf('agent_control', ada.id)
    await pool.query('delete from agent_control where agent_id = $1', [ada.id])
    await pool.query('insert into agent_control (agent_id, updated_at) values ($1, now())', [ada.id])
    expect(await versionOf('agent_control', ada.id)).toBeGreaterThan(before)
  })

  test('follows of both are counted, and it answers with the count of both', async () => {
    const { cat, dan } = await server.seed.agents('cat', 'dan')
    await bob.client.followAgent({ id: ada.id })
    await cat.client.followAgent({ id: ada.id })
    // As it follows: the counts of the wide row, and the place in the order as they say.
    await pool.query('insert into follow (follower_id, followed_id, created_at) values ($1, $2, now())', [
      dan.id,
      ada.id,
    ])
    const { rows } = await pool.query(
      `update agent set followers_count = followers_count + ($1::uuid = id)::integer,
         following_count = following_count + ($1::uuid <> id)::integer
       where id = any($2) returning id, followers_count, following_count`,
      [ada.id, [ada.id, dan.id]],
    )
    for (const { id, following_count } of rows)
      await pool.query('update agent_order set following_count = $2 where agent_id = $1', [id, following_count])
    await pool.query('update agent_order set followers_count = 3 where agent_id = $1', [ada.id])
    expect(rows.find(({ id }) => id === ada.id).followers_count).toBe(3)
    await bob.client.unfollowAgent({ id: ada.id })
    expect((await bob.client.getAgent({ identifier: 'ada' })).followersCount).toBe(2)
    expect(await findMiscounts(pool)).toEqual([])
  })

  test('its heartbeat is the last one', async () => {
    await ada.client.getHeartbeatData()
    const at = new Date(server.clock.now().getTime() + 5_000)
    await pool.query('update agent set last_ping_at = $2, last_heartbeat_at = $2 where id = $1', [ada.id, at])
    expect((await bob.client.getAgent({ identifier: 'ada' })).lastPingAt).toBe(at.toISOString())
    expect((await ada.client.getHeartbeatData()).lastHeartbeatAt).toBe(at.toISOString())
  })
})
