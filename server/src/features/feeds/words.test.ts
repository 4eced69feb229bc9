import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { refused } from '../../../test/refusal.js'
import { countRowsRead } from '../../../test/rows-read.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { isBare } from '../tweets/targets.js'
import { listNewestWithWords, listTrendingWithWords } from './words.js'

const server = await startServer()
const { db } = server.deps
const anyone = server.client()
afterAll(() => server.stop())

const COUNT = 4_000
let author: SeededAgent
let other: SeededAgent
let holder: SeededAgent
let stranger: SeededAgent

type ScoredRow = Row<'tweet', 'id' | 'agent_id' | 'type' | 'content' | 'medias' | 'parent_id' | 'audience'> &
  Row<'tweet_order', 'score'>
let rows: ScoredRow[]

// The tweets of a year: close together at its end, months apart at its beginning. Only the oldest tenth has "bygone".
// Every other repost is bare.
beforeAll(async () => {
  const seeded = await server.seed.agents('author', 'other', 'holder', 'stranger')
  author = seeded.author
  other = seeded.other
  holder = seeded.holder
  stranger = seeded.stranger
  await hold(server, holder, author, 1)
  const id = (n: Sql) => sql`(lpad(to_hex(1780000000000 - 2000 * ((${COUNT} - ${n})::bigint ^ 2)::bigint), 12, '0')
    || '70008000' || lpad(to_hex(${n}), 12, '0'))::uuid`
  await db.run(sql`
    insert into tweet (id, agent_id, type, content, parent_id, audience, created_at, updated_at)
    select ${id(sql`n`)}, case when n % 5 = 0 then ${other.id}::uuid else ${author.id}::uuid end, type,
      case when n % 14 <> 3 then concat_ws(' ', 'word' || n, case when n % 2 = 0 then 'often' end, case when n % 6 < 2 then 'Some' end,
        case when n % 9 = 4 then 'some often' end, case when n % 700 = 0 then 'seldom' end, case when n <= 400 then 'bygone' end,
        case when n % 4 = 1 then 'left' when n % 4 = 3 then 'right' end) else '' end,
      case when type <> 'POST' then ${id(sql`(n - n % 100)`)} end,
      case when n % 11 = 0 then ${author.subject} when n % 13 = 0 then ${other.subject} end, now(), now()
    from (select n, case n % 7 when 0 then 'REPLY' when 3 then 'REPOST' else 'POST' end as type
      from generate_series(1, ${COUNT}) n) made
    on conflict do nothing`)
  await db.run(sql`
    insert into tweet_order (tweet_id, agent_id, type, audience, score)
    select id, agent_id, case when type = 'REPOST' and content <> '' then 'QUOTE' else type end, audience, n / 100 + (n * 7919 % 1009)::double precision / 37
    from (select *, row_number() over (order by id) as n from tweet) numbered`)
  rows = await db.many<ScoredRow>(
    sql`select tweet.id, tweet.agent_id, tweet.type, content, medias, parent_id, tweet.audience, score
      from tweet join tweet_order on tweet_id = tweet.id order by tweet.id desc`,
  )
})

type Filters = Parameters<typeof anyone.listTweets>[0]

/** The ids that the list must have, found by checking every tweet. */
async function listExpected(
  viewer: SeededAgent | undefined,
  mode: 'new' | 'trending',
  filters: Filters,
): Promise<string[]> {
  const { search = '', type, visibility, agentId, username, parentTweetId, onlyRootTweets } = filters ?? {}
  const matches = await db.many<Row<'tweet', 'id'>>(
    sql`select id from tweet where (to_tsvector('simple', content) @@ websearch_to_tsquery('simple', ${search})) is true`,
  )
  const found = new Set(matches.map(({ id }) => id))
  const isByScore = mode === 'trending'
  const hasReposts = type === 'REPOST' || agentId !== undefined || username !== undefined || parentTweetId !== undefined
  const open: (string | undefined)[] = [
    undefined,
    ...(viewer ? [viewer.subject] : []),
    ...(viewer === holder ? [author.subject] : []),
  ]
  const all = rows.filter(
    (row) =>
      found.has(row.id) &&
      (open.includes(row.audience ?? undefined) || row.agent_id === viewer?.id) &&
      (type === undefined || row.type === type) &&
      (visibility === undefined || (row.audience === null) === (visibility === 'public')) &&
      (agentId === undefined || row.agent_id === agentId) &&
      (username === undefined || (row.agent_id === author.id) === (username === 'author')) &&
      (parentTweetId === undefined || row.parent_id === parentTweetId) &&
      !(onlyRootTweets && row.type === 'REPLY') &&
      (!isByScore || hasReposts || !isBare(row)),
  )
  if (isByScore) all.sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
  return all.map(({ id }) => id)
}

const searches = [
  'often',
  'SOME',
  'some often',
  '"some often"',
  'some -often',
  '-often',
  'seldom or bygone',
  'seldom',
  'bygone',
  'left right',
  'word77',
  'nothing',
  '!',
]

describe('a search by words', () => {
  describe.each(['new', 'trending'] as const)('mode=%s', (mode) => {
    test.each(searches)('matches a check of every tweet: %s', async (search) => {
      for (const viewer of [undefined, author, holder, stranger]) {
        const client = viewer?.client ?? anyone
        const ids = await listExpected(viewer, mode, { search })
        // Some pages by number, from the first to beyond the last, and the page after each by cursor.
        for (const page of [1, 2, 5, Math.ceil(ids.length / 50), Math.ceil(ids.length / 50) + 1].filter(Boolean)) {
          const { data, meta } = await client.listTweets({ mode, search, page, limit: 50 })
          expect(data.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 50, page * 50))
          expect(meta.total).toBe(Math.min(ids.length, page * 50 + 100))
          expect(meta.totalIsLowerBound === true).toBe(ids.length >= page * 50 + 100)
          if (!meta.nextCursor) continue
          const next = await client.listTweets({ mode, search, limit: 30, cursor: meta.nextCursor })
          expect(next.data.map(({ id }) => id)).toEqual(ids.slice(page * 50, page * 50 + 30))
          expect(next.meta.total).toBe(Math.min(ids.length, 130))
          expect(next.meta.nextCursor === null).toBe(ids.length <= page * 50 + 30)
        }
      }
    })

    test('combines with every filter', async () => {
      const parentTweetId = rows.find(({ parent_id }) => parent_id !== null)?.parent_id ?? ''
      const filters: Filters[] = [
        { type: 'REPLY' },
        { type: 'REPOST' },
        { visibility: 'private' },
        { visibility: 'public' },
        { agentId: other.id },
        { username: 'author' },
        { parentTweetId },
        { parentTweetId, agentId: author.id, type: 'REPOST' },
        { onlyRootTweets: true },
      ]
      for (const filter of filters)
        for (const viewer of [undefined, holder]) {
          const client = viewer?.client ?? anyone
          const wanted = { search: 'often', ...filter }
          const ids = await listExpected(viewer, mode, wanted)
          const { data } = await client.listTweets({ mode, limit: 100, ...wanted })
          expect(data.map(({ id }) => id)).toEqual(ids.slice(0, 100))
        }
      expect((await anyone.listTweets({ mode, search: 'often', username: 'nobody_here' })).data).toEqual([])
    })

    test('refuses the cursor of another list', async () => {
      const { meta } = await anyone.listTweets({ mode: mode === 'new' ? 'trending' : 'new', search: 'often' })
      const cursor = meta.nextCursor ?? ''
      expect(await refused(anyone.listTweets({ mode, search: 'often', cursor }))).toBe('400 INVALID_INPUT')
    })
  })

  test('does not read more tweets than it needs, however many have the word', async () => {
    for (const list of [listNewestWithWords, listTrendingWithWords]) {
      const statements: Sql[] = []
      const record = <Row>(query: Sql) => {
        statements.push(query)
        return db.many<Row>(query)
      }
      const auditInsert: Db = { ...db, many: record }
      await list(auditInsert, undefined, { search: 'often' })
      for (const statement of statements) expect(await countRowsRead(db, statement, 'tweet')).toBeLessThan(COUNT / 4)
    }
  })
})
