import { createRandom, type Random } from '@rookery/tooling/random'
import type { Act, NumberedAct } from './acts.js'
import { type Character, cast } from './cast.js'
import { Market } from './market.js'
import type { Inheritance } from './past/setting.js'
import { listRemaining, writePast } from './past/write-past.js'
import { Shelf } from './shelf.js'
import { countSharedInterests, listWritten, nextAnswer, remember, report, type Tweet } from './story.js'
import type { Thread } from './writings/thread.js'

/** The input of a script. The same numbers give the same script, act by act. */
export interface ScriptOptions {
  readonly seed: number
  /** How many of the cast take part. */
  readonly members: number
  /** How long the past is that comes before the first act of today; 0 without one. */
  readonly pastMinutes: number
}

/** Number of acts that bring a network without a past to life before the pace slows down for people to follow. */
export function openingLength({ members, pastMinutes }: ScriptOptions): number {
  return pastMinutes > 0 ? 0 : members * 25
}

/** Yields everything that happens; it never ends. */
export function* writeScript(options: ScriptOptions): Generator<NumberedAct, never> {
  let number = 0
  for (const act of acts(options, () => number)) yield { ...act, number: number++ }
  throw new Error('the script has no end')
}

/** The first acts of a script. */
export function firstActs(options: ScriptOptions, count: number): NumberedAct[] {
  const script = writeScript(options)
  return Array.from({ length: count }, () => script.next().value)
}

/** The acts of the past. */
export function pastActs(options: ScriptOptions): NumberedAct[] {
  const past: NumberedAct[] = []
  for (const act of writeScript(options)) {
    if (act.minute === undefined) return past
    past.push(act)
  }
  return past
}

// Shares of a network with a past go on from where they are.
const HIGHEST_SUPPLY_AFTER_PAST = 75

function* acts(options: ScriptOptions, now: () => number): Generator<Act & { minute?: number }, void> {
  const random = createRandom(options.seed)
  const members = cast.slice(0, options.members)
  if (options.pastMinutes === 0) {
    const market = new Market()
    yield* beginToday(random, members, market)
    const shelf = new Shelf(members)
    yield* goOn(members, { random, market, shelf, written: undefined, tweets: [], answers: [] }, now)
    return
  }
  const story = {
    random,
    market: new Market(HIGHEST_SUPPLY_AFTER_PAST),
    shelf: new Shelf(members),
    written: listWritten(random, members),
    tweets: [],
    answers: [],
  }
  yield* writePast(members, options.pastMinutes, story, now)
  yield* goOn(listRemaining(members), withoutTheGone(story, members), now)
}

function* beginToday(random: Random, members: readonly Character[], market: Market): Generator<Act, void> {
  for (const { username: who } of members) yield { kind: 'join', who }
  yield* firstFollows(random, members)
  for (const { username: who } of members) yield market.launch(who, random.between(1, 3))
}

/** What is left to say by those who are still there. */
function withoutTheGone(story: Inheritance, members: readonly Character[]): Inheritance {
  const there = new Set(listRemaining(members).map(({ username }) => username))
  const written = story.written
    .filter(({ by }) => there.has(by))
    .map((thread) => ({ ...thread, answers: thread.answers.filter(([by]) => there.has(by)) }))
  return { ...story, written, answers: story.answers.filter(({ who }) => there.has(who)) }
}

type Today = Omit<Inheritance, 'written'> & {
  /** Undefined when nothing was said before. */
  readonly written: Thread[] | undefined
}

function* goOn(members: readonly Character[], today: Today, now: () => number): Generator<Act, void> {
  const { random, market, shelf, tweets, answers } = today
  const threads = createThreads(random, members, today.written)
  const names = new Set(members.map(({ username }) => username))
  const keep = (number: number, username: string, forHolders = false) => {
    const by = members.find((member) => member.username === username)
    if (by) remember(tweets, number, by, forHolders)
  }
  while (true) {
    const due =
      answers.length > 0 && random.chance(0.4) ? answers.splice(random.between(0, answers.length - 1), 1)[0] : undefined
    if (due) {
      const number = now()
      keep(number, due.who)
      yield { kind: 'reply', who: due.who, to: due.to, text: due.text }
      answers.push(...nextAnswer(due.rest, number))
      continue
    }
    const chance = random.next()
    if (chance < 0.22 || tweets.length < 3) {
      const thread = threads.next().value
      const number = now()
      keep(number, thread.by, thread.forHolders)
      const { by: who, text, forHolders = false, picture } = thread
      yield { kind: 'post', who, text, forHolders, ...(picture && { picture }) }
      answers.push(...nextAnswer({ post: number, thread, next: 0 }, number))
    } else if (chance < 0.78) yield* like(random, members, tweets)
    else if (chance < 0.84) yield* repost(random, members, tweets)
    else if (chance < 0.92) yield* trade(random, members, market)
    else yield shelf.propose(random, (who) => names.has(who)) ?? { kind: 'ping', who: random.pick(members).username }
  }
}

/** Each member follows most of those who share its interests, and somebody else. */
function* firstFollows(random: Random, members: readonly Character[]): Generator<Act, void> {
  for (const member of members) {
    const others = random.shuffle(members.filter((other) => other !== member))
    const close = others.filter((other) => countSharedInterests(member, other) > 0).slice(0, random.between(3, 6))
    const far = others.find((other) => countSharedInterests(member, other) === 0)
    for (const { username: whom } of far && random.chance(0.5) ? [...close, far] : close)
      yield { kind: 'follow', who: member.username, whom }
  }
}

/** Yields the posts written for the members, mixed with reports; then only reports. */
function* createThreads(random: Random, members: readonly Character[], left?: Thread[]): Generator<Thread, never> {
  const written = left ?? listWritten(random, members)
  while (true) {
    const thread = random.chance(0.75) ? written.shift() : undefined
    yield thread ?? report(random, random.pick(members))
  }
}

// Newer tweets have more readers.
function pickRecent(random: Random, tweets: readonly Tweet[]): Tweet {
  const tweet = tweets[tweets.length - 1 - Math.floor(random.next() ** 2 * tweets.length)]
  if (!tweet) throw new Error('nothing was written yet')
  return tweet
}

function* like(random: Random, members: readonly Character[], tweets: readonly Tweet[]): Generator<Act, void> {
  const tweet = pickRecent(random, tweets)
  const likers = members.filter(({ username }) => !tweet.likedBy.has(username))
  const keen = likers.filter((member) => countSharedInterests(member, tweet.by) > 0)
  const from = keen.length > 0 && random.chance(0.75) ? keen : likers
  if (from.length === 0 || tweet.forHolders) return
  const { username: who } = random.pick(from)
  tweet.likedBy.add(who)
  yield { kind: 'like', who, of: tweet.number }
}

function* repost(random: Random, members: readonly Character[], tweets: readonly Tweet[]): Generator<Act, void> {
  const tweet = pickRecent(random, tweets)
  const from = members.filter(
    (member) => !tweet.repostedBy.has(member.username) && countSharedInterests(member, tweet.by) > 0,
  )
  if (from.length === 0 || tweet.forHolders) return
  const { username: who } = random.pick(from)
  tweet.repostedBy.add(who)
  yield { kind: 'repost', who, of: tweet.number }
}

function* trade(random: Random, members: readonly Character[], market: Market): Generator<Act, void> {
  const deal = market.propose(random, members)
  if (deal) yield deal
}
