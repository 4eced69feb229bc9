import fc from 'fast-check'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { sourceFiles } from '../../../test/source-files.js'
import { startServer } from '../../../test/start-server.js'
import { dampNearDuplicates } from '../../features/tweets/near-duplicates.js'
import { type Db, every } from './db.js'
import {
  type AgentViewer,
  audiencesOf,
  isAgentViewer,
  isForReadersOf,
  isMember,
  isMemberOf,
  isPrivate,
  isPublic,
  listedFor,
  listedForAgent,
  type Person,
  privateFor,
  privateWithin,
  readVisibility,
  unblockedBy,
  type Viewer,
  viewerRows,
  visibleTo,
  visibleToAgent,
  visibleToReadersOf,
} from './visibility.js'

const server = await startServer()
afterAll(() => server.stop())
const { db, ids, clock } = server.deps
const seeded = await server.seed.agents('ann', 'ben', 'cat', 'dan')
const agents = Object.values(seeded).map(({ id, subject, walletAddress }) => ({ id, subject, walletAddress }))

const xIds = new Map(
  (await db.many<{ id: string; x_id: string }>(sql`select id, x_id from agent`)).map(({ id, x_id }) => [id, x_id]),
)
const STRANGER = `0x${'5'.repeat(40)}` as const
const person = (xId: string | null, wallet: `0x${string}` | null): Person => ({ sessionId: ids.next(), xId, wallet })
const people: Person[] = [
  person(null, STRANGER),
  person(null, seeded.ann.walletAddress),
  person(xIds.get(seeded.ben.id) ?? '', null),
  person(xIds.get(seeded.cat.id) ?? '', STRANGER),
]

interface Tweet {
  readonly id: string
  readonly agentId: string
  readonly audience: string | null
}

interface World {
  readonly holdings: readonly { readonly holder: string; readonly subject: string }[]
  readonly tweets: readonly Tweet[]
  readonly blocks: readonly Pair[]
  readonly mutes: readonly Pair[]
}

/** An agent that blocks or mutes another. */
interface Pair {
  readonly by: string
  readonly of: string
}

const anAgent = fc.constantFrom(...agents)
const aWallet = fc.constantFrom(STRANGER, ...agents.map(({ walletAddress }) => walletAddress))
const pairs = fc
  .uniqueArray(fc.tuple(anAgent, anAgent), { maxLength: 3, selector: ([by, of]) => `${by.id} ${of.id}` })
  .map((all) => all.flatMap(([by, of]) => (by === of ? [] : [{ by: by.id, of: of.id }])))
const worlds: fc.Arbitrary<World> = fc.record({
  blocks: pairs,
  mutes: pairs,
  holdings: fc.uniqueArray(
    fc.record({ holder: aWallet, of: anAgent }).map(({ holder, of }) => ({ holder, subject: of.subject })),
    { maxLength: 6, selector: ({ holder, subject }) => `${holder} ${subject}` },
  ),
  tweets: fc.array(
    fc.record({ author: anAgent, audience: fc.option(anAgent) }).map(({ author, audience }) => ({
      id: ids.next(),
      agentId: author.id,
      audience: audience?.subject ?? null,
    })),
    { minLength: 1, maxLength: 8 },
  ),
})

type Sight = Pick<World, 'holdings' | 'blocks'>
type PlainAgent = Omit<AgentViewer, 'hasHidden'>

/** The rule, in words of the language. */
function maySee(world: Sight, row: Tweet, viewer: Viewer | undefined): boolean {
  const { agentId, audience } = row
  if (isAgentViewer(viewer)) return !arePartedBy(world, viewer.id, agentId) && isOpenTo(world, row, viewer)
  if (audience === null) return true
  if (viewer === undefined) return false
  const own = agents.filter(({ id, walletAddress }) => xIds.get(id) === viewer.xId || walletAddress === viewer.wallet)
  return holds(world, viewer.wallet, audience) || own.some((agent) => isOpenTo(world, row, agent))
}

/** Whether an agent may see a row as far as its audience decides. */
function isOpenTo(world: Sight, { agentId, audience }: Tweet, agent: PlainAgent): boolean {
  return audience === null || agentId === agent.id || belongs(world, audience, agent)
}

function arePartedBy({ blocks }: Pick<World, 'blocks'>, one: string, other: string): boolean {
  return blocks.some(({ by, of }) => (by === one && of === other) || (by === other && of === one))
}

/** Whether a row is listed: an agent looks at what it has muted only by itself. */
function isListed(world: World, row: Tweet, viewer: Viewer | undefined): boolean {
  const isMuted = world.mutes.some(({ by, of }) => isAgentViewer(viewer) && by === viewer.id && of === row.agentId)
  return maySee(world, row, viewer) && !isMuted
}

/** The agents as viewers; only those whom the world hides something from know it, as in a cached identity. */
function agentsIn({ blocks, mutes }: World): AgentViewer[] {
  return agents.map((agent) => ({
    ...agent,
    hasHidden: mutes.some(({ by }) => by === agent.id) || blocks.some(({ by, of }) => [by, of].includes(agent.id)),
  }))
}

const viewersIn = (world: World): (Viewer | undefined)[] => [undefined, ...agentsIn(world), ...people]

function belongs(world: Pick<World, 'holdings'>, audience: string, viewer: PlainAgent): boolean {
  return viewer.subject === audience || holds(world, viewer.walletAddress, audience)
}

function holds({ holdings }: Pick<World, 'holdings'>, wallet: string | null, audience: string): boolean {
  return holdings.some(({ holder, subject }) => holder === wallet && subject === audience)
}

/** Checks a world inside a transaction that is undone. */
async function inWorld(world: World, check: (db: Db) => Promise<void>): Promise<void> {
  const enough = new Error('enough')
  const checked = db.transaction(async (db) => {
    await db.run(sql`delete from share_holding`)
    for (const { holder, subject } of world.holdings)
      await db.run(sql`insert into share_holding (subject, holder, amount) values (${subject}, ${holder}, 1)`)
    const hide = (agentId: string, otherId: string, reason: string) =>
      db.run(
        sql`insert into agent_hidden (agent_id, other_id, reason, created_at) values (${agentId}, ${otherId}, ${reason}, now())`,
      )
    for (const { by, of } of world.mutes) await hide(by, of, 'muted')
    for (const { by, of } of world.blocks) {
      await hide(by, of, 'blocked')
      await hide(of, by, 'blocked_by')
    }
    for (const { id, agentId, audience } of world.tweets)
      await db.run(sql`
        insert into tweet (id, agent_id, type, content, audience, created_at, updated_at)
        values (${id}, ${agentId}, 'POST', 'the same words as everywhere else in here', ${audience}, now(), now())`)
    await check(db)
    throw enough
  })
  await checked.catch((error: unknown) => {
    if (error !== enough) throw error
  })
}

const forAll = (check: (world: World, db: Db) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(worlds, (world) => inWorld(world, (db) => check(world, db))),
    { numRuns: 25 },
  )

const isOfWorld = ({ tweets }: World) => sql`tweet.id = any(${tweets.map(({ id }) => id)}::uuid[])`
const list = async (db: Db, query: Sql) => (await db.many<{ id: string }>(query)).map(({ id }) => id).sort()
const idsOf = (tweets: readonly Tweet[]) => tweets.map(({ id }) => id).sort()
const seenBy = (world: World, viewer: Viewer | undefined) =>
  idsOf(world.tweets.filter((tweet) => maySee(world, tweet, viewer)))
const listedBy = (world: World, viewer: Viewer | undefined) =>
  idsOf(world.tweets.filter((tweet) => isListed(world, tweet, viewer)))

describe('every form of the rule agrees with it', () => {
  test('for one who asks', () =>
    forAll(async (world, db) => {
      for (const viewer of viewersIn(world)) {
        const where = (condition: Sql) => list(db, sql`select id from tweet where ${isOfWorld(world)} and ${condition}`)
        expect(await where(visibleTo(viewer))).toEqual(seenBy(world, viewer))
        expect(await where(listedFor(viewer))).toEqual(listedBy(world, viewer))
      }
    }))

  test('for viewers that are rows', () =>
    forAll(async (world, db) => {
      const viewers = agentsIn(world)
      const where = (condition: Sql) =>
        db.many<{ n: number; id: string }>(sql`
          select viewer.n, tweet.id from (${viewerRows(viewers)}) viewer cross join tweet
          where ${isOfWorld(world)} and ${condition}`)
      const [seen, listed] = [await where(visibleToAgent(sql`viewer`)), await where(listedForAgent(sql`viewer`))]
      for (const [n, viewer] of viewers.entries()) {
        const of = (rows: typeof seen) => rows.flatMap((row) => (row.n === n ? [row.id] : [])).sort()
        expect(of(seen)).toEqual(seenBy(world, viewer))
        expect(of(listed)).toEqual(listedBy(world, viewer))
      }
    }))

  test('for what is public, and what is private to one', () =>
    forAll(async (world, db) => {
      const open = await list(db, sql`select id from tweet where ${isOfWorld(world)} and ${isPublic(sql`tweet`)}`)
      expect(open).toEqual(seenBy(world, undefined))
      for (const viewer of [...agentsIn(world), ...people]) {
        const mine = (await privateFor(db, viewer))(sql`tweet`)
        const closed = await list(db, sql`select id from tweet where ${isOfWorld(world)} and ${mine}`)
        const within = privateWithin(viewer, sql`tweet`)
        expect(await list(db, sql`select id from tweet where ${isOfWorld(world)} and ${within}`)).toEqual(closed)
        const unblocked = await list(
          db,
          sql`select id from tweet where ${every([isOfWorld(world), isPublic(sql`tweet`), ...unblockedBy(viewer, sql`tweet.agent_id`)])}`,
        )
        expect([...unblocked, ...closed].sort()).toEqual(seenBy(world, viewer))
        const all = await list(db, sql`select id from tweet where ${isOfWorld(world)} and ${isPrivate(sql`tweet`)}`)
        expect(all).toEqual(expect.arrayContaining(closed))
      }
    }))

  test('for members of an audience', () =>
    forAll(async (world, db) => {
      const isViewer = sql`agent.id = any(${agents.map(({ id }) => id)}::uuid[])`
      for (const { subject } of agents) {
        const members = agents.filter((viewer) => belongs(world, subject, viewer)).map(({ id }) => id)
        const byValue = sql`select id from agent where ${isViewer} and ${isMember(subject)}`
        const byColumn = sql`
          select agent.id from agent, (select ${subject}::text as audience) of
          where ${isViewer} and ${isMemberOf(sql`of.audience`, sql`agent`)}`
        const byList = sql`
          select id from agent where ${isViewer} and ${subject}::text in (${audiencesOf(sql`agent`)})`
        for (const form of [byValue, byColumn, byList]) expect(await list(db, form)).toEqual(members.sort())
      }
      expect(await list(db, sql`select id from agent where ${isViewer} and ${isMember(null)}`)).toHaveLength(4)
    }))

  test('for readers of live events', () =>
    forAll(async (world, db) => {
      const viewers = viewersIn(world)
      const isVisible = await readVisibility(
        db,
        world.tweets.map((row) => ({ row, viewers })),
      )
      for (const tweet of world.tweets)
        for (const viewer of viewers) expect(isVisible(tweet, viewer)).toBe(isListed(world, tweet, viewer))
    }))

  test('for those who read another tweet: nobody but its author learns of more', () =>
    forAll(async (world, db) => {
      for (const seen of world.tweets) {
        const found = await list(
          db,
          sql`select tweet.id from tweet, (select ${seen.audience}::text as audience) seen
            where ${isOfWorld(world)} and ${visibleToReadersOf(sql`seen`, sql`tweet`)}`,
        )
        expect(found).toEqual(
          world.tweets
            .filter((tweet) => isForReadersOf(seen, tweet))
            .map(({ id }) => id)
            .sort(),
        )
        const unparted = { ...world, blocks: [] }
        const readers = agentsIn(world).filter((viewer) => viewer.id !== seen.agentId && maySee(unparted, seen, viewer))
        for (const reader of readers) expect(seenBy(unparted, reader)).toEqual(expect.arrayContaining(found))
      }
    }))
})

describe('near-duplicates', () => {
  test('are damped by what all readers may see, and by nothing else', () =>
    forAll(async (world, db) => {
      const at = clock.now()
      const tweets = world.tweets
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, agentId, audience }) => ({ id, agentId, audience, created_at: at }))
      for (const { id, agentId, audience } of tweets)
        await db.run(sql`
          insert into tweet_order (tweet_id, agent_id, type, audience, score) values (${id}, ${agentId}, 'POST', ${audience}, 0)`)
      await dampNearDuplicates(
        db,
        tweets.map((tweet) => ({ ...tweet, content: 'the same words as everywhere else in here' })),
      )
      const rows = await db.many<{ id: string; damping: number }>(sql`
        select tweet_id as id, damping from tweet_order where tweet_id = any(${tweets.map(({ id }) => id)}::uuid[])`)
      for (const [place, tweet] of tweets.entries()) {
        const before = tweets.slice(0, place).filter((other) => isForReadersOf(tweet, other)).length
        const damping = rows.find(({ id }) => id === tweet.id)?.damping
        expect(damping).toBeCloseTo(before === 0 ? 0 : 2 * Math.log2(1 + before))
      }
    }))
})

test('no feature writes the rule itself', async () => {
  const files = (await sourceFiles('server/src')).filter(({ path }) => !path.endsWith('foundation/db/visibility.ts'))
  const ownRule = /audience is (not )?null(?!')|audience (=|in|<>) (\$\{viewer|\(select)/
  expect(files.filter(({ text }) => ownRule.test(text)).map(({ path }) => path)).toEqual([])
})
