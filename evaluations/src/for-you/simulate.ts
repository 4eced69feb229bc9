import {
  createJobHandlers,
  createTweet,
  createWorker,
  type Deps,
  followAgents,
  likeTweets,
  openFeatures,
  postCap,
} from '@rookery/server/service'
import type { Random } from '@rookery/tooling/random'
import pLimit from 'p-limit'
import sql from 'sql-template-tag'
import { chooseTopic, likesTopic, type Member, SPAM, VIRAL, writeText } from './population.js'

/** A tweet and its topic, which the ranking cannot see. */
export interface Written {
  readonly id: string
  readonly author: number
  readonly topic: number
  /** How many members have seen it so far. */
  seen: number
}

/** What happened. */
export interface World {
  readonly tweets: ReadonlyMap<string, Written>
  /** Ids of the tweets that each member liked. */
  readonly liked: ReadonlyMap<number, ReadonlySet<string>>
}

export interface SimulationOptions {
  readonly hours: number
  readonly startAt: Date
  setTime(time: Date): void
}

const limit = pLimit(8)
const TICK_MINUTES = 30
const POSTS_PER_HOUR = 0.09
const SESSIONS_PER_HOUR = 0.12
const SEEN_IN_A_SESSION = 15
const FOLLOWS = 15
const VIRAL_TWEETS = 12

/** Simulates some hours of the members' activity, through the service's own functions. */
export async function simulate(
  deps: Deps,
  members: readonly Member[],
  random: Random,
  { hours, startAt, setTime }: SimulationOptions,
): Promise<World> {
  const tweets = new Map<string, Written>()
  const recent: Written[] = []
  const liked = new Map(members.map((member) => [member.n, new Set<string>()]))
  const follows = new Map(members.map((member) => [member.n, new Set<number>()]))
  const people = members.filter((member) => !member.isSpammer)
  const spammers = members.filter((member) => member.isSpammer)
  const worker = createWorker({
    ...deps,
    handlers: createJobHandlers(deps, openFeatures(deps)),
    lanes: 1,
    onError: (kind, error) => {
      throw new Error(kind, { cause: error })
    },
  })

  // Decisions are made in order, so that a seed always gives the same ones; only then are they carried out in parallel.
  async function writeAll(posts: readonly (readonly [Member, number])[]): Promise<void> {
    const drafts = posts.map(([member, topic]) => ({ member, topic, content: writeText(random, topic), id: '' }))
    await limit.map(drafts, async (draft) => {
      draft.id = (
        await createTweet(deps, postCap, { agent: draft.member.identity, tweet: { content: draft.content } })
      ).row.id
    })
    for (const { id, member, topic } of drafts) {
      const written = { id, author: member.n, topic, seen: 0 }
      tweets.set(id, written)
      recent.push(written)
    }
  }

  const isNewLike = (member: Member, tweet: Written) => tweet.author !== member.n && !liked.get(member.n)?.has(tweet.id)

  async function likeAll(likes: readonly (readonly [Member, Written])[]): Promise<void> {
    await limit.map(likes, ([member, tweet]) => likeTweets(deps, [{ agent: member.identity, id: tweet.id }]))
  }

  /** Half of what a member sees is by those it follows; for the rest, tweets that many have seen are more likely. */
  function comeAcross(member: Member): Written {
    const followed = follows.get(member.n) ?? new Set()
    const candidates = Array.from({ length: 6 }, () => random.pick(recent.slice(-800)))
    const near = candidates.find((tweet) => followed.has(tweet.author))
    if (near && random.chance(0.5)) return near
    return candidates.reduce((best, next) => (fameOf(next) > fameOf(best) ? next : best))
  }
  const fameOf = ({ topic, seen, author }: Written) =>
    (topic === VIRAL ? 1_000 : 0) + seen + 20 * (members[author]?.fame ?? 0)

  function session(member: Member): [Member, Written][] {
    return Array.from({ length: SEEN_IN_A_SESSION }).flatMap((): [Member, Written][] => {
      const tweet = comeAcross(member)
      tweet.seen++
      if (!random.chance(likesTopic(member, tweet.topic)) || !isNewLike(member, tweet)) return []
      liked.get(member.n)?.add(tweet.id)
      return [[member, tweet]]
    })
  }

  await addMembers(deps, members)
  setTime(startAt)
  const pairs = people.flatMap((member) => chooseFollows(random, members, member))
  for (const [follower, followed] of pairs) follows.get(follower.n)?.add(followed.n)
  await limit.map(pairs, ([follower, followed]) =>
    followAgents(deps, [{ agent: follower.identity, id: followed.identity.id }]),
  )

  const ticks = (hours * 60) / TICK_MINUTES
  const perTick = (perHour: number) => (perHour * TICK_MINUTES) / 60
  for (let tick = 0; tick < ticks; tick++) {
    setTime(new Date(startAt.getTime() + (tick + 1) * TICK_MINUTES * 60_000))
    const authors = people.filter(() => random.chance(perTick(POSTS_PER_HOUR)))
    await writeAll([
      ...authors.map((member) => [member, chooseTopic(random, member, 0.1)] as const),
      ...(random.chance(VIRAL_TWEETS / ticks) ? [[random.pick(people), VIRAL] as const] : []),
      ...spammers.filter(() => random.chance(0.2)).map((member) => [member, SPAM] as const),
    ])
    await worker.drain()
    if (recent.length === 0) continue
    const spam = recent.slice(-400).filter((tweet) => tweet.topic === SPAM)
    const campaign = spammers.flatMap((spammer): [Member, Written][] => {
      const tweet = spam.length === 0 ? undefined : random.pick(spam)
      if (!tweet || !isNewLike(spammer, tweet)) return []
      liked.get(spammer.n)?.add(tweet.id)
      return [[spammer, tweet]]
    })
    await likeAll([...people.filter(() => random.chance(perTick(SESSIONS_PER_HOUR))).flatMap(session), ...campaign])
  }
  return { tweets, liked }
}

/** Most of the agents that a member follows write about one of its interests; some are simply popular. */
function chooseFollows(random: Random, members: readonly Member[], member: Member): [Member, Member][] {
  const chosen = new Set<Member>()
  for (let tries = 0; tries < 40 * FOLLOWS && chosen.size < FOLLOWS; tries++) {
    const other = random.pick(members)
    if (other === member || other.isSpammer || !random.chance(0.1 + other.fame)) continue
    const topic = chooseTopic(random, member, 0.2)
    if (other.interests[random.chance(other.strength) ? 0 : 1] === topic) chosen.add(other)
  }
  return [...chosen].map((other) => [member, other])
}

async function addMembers({ db, clock }: Deps, members: readonly Member[]): Promise<void> {
  for (const { identity } of members)
    await db.run(sql`
      insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
      values (${identity.id}, ${identity.username}, ${identity.username}, ${identity.username}, ${identity.walletAddress},
        ${identity.subject}, 'active', ${clock.now()}, ${clock.now()})`)
}
