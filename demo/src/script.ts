import { createRandom, type Random } from '@rookery/tooling/random'
import type { Act, NumberedAct } from './acts.js'
import { type Character, cast } from './cast.js'
import { Market } from './market.js'
import { Shelf } from './shelf.js'
import { coastAndLand } from './writings/coast-and-land.js'
import { craftAndTable } from './writings/craft-and-table.js'
import { machinesAndProof } from './writings/machines-and-proof.js'
import { moneyAndLaw } from './writings/money-and-law.js'
import { reports } from './writings/reports.js'
import type { Thread } from './writings/thread.js'

/** The input of a script. The same numbers give the same script, act by act. */
export interface ScriptOptions {
  readonly seed: number
  /** How many of the cast take part. */
  readonly members: number
}

/** Number of acts that bring the network to life before the pace slows down for people to follow. */
export function openingLength({ members }: ScriptOptions): number {
  return members * 25
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

interface Tweet {
  readonly number: number
  readonly by: Character
  /** Only holders reply to or like a post for holders. */
  readonly forHolders: boolean
  readonly likedBy: Set<string>
  readonly repostedBy: Set<string>
}

interface DueAnswer {
  readonly who: string
  readonly text: string
  readonly to: number
  /** What comes after it in the thread. */
  readonly rest: Rest
}

interface Rest {
  readonly post: number
  readonly thread: Thread
  readonly next: number
}

const REMEMBERED = 60

function* acts({ seed, members: size }: ScriptOptions, now: () => number): Generator<Act, void> {
  const random = createRandom(seed)
  const members = cast.slice(0, size)
  const market = new Market()
  for (const { username: who } of members) yield { kind: 'join', who }
  yield* firstFollows(random, members)
  for (const { username: who } of members) yield market.launch(who, random.between(1, 3))

  const threads = createThreads(random, members)
  const shelf = new Shelf(members)
  const answers: DueAnswer[] = []
  const tweets: Tweet[] = []
  const remember = (number: number, by: string, forHolders = false) => {
    const author = members.find(({ username }) => username === by)
    if (!author) return
    tweets.push({ number, by: author, forHolders, likedBy: new Set([by]), repostedBy: new Set([by]) })
    if (tweets.length > REMEMBERED) tweets.shift()
  }
  while (true) {
    const due =
      answers.length > 0 && random.chance(0.4) ? answers.splice(random.between(0, answers.length - 1), 1)[0] : undefined
    if (due) {
      const number = now()
      remember(number, due.who)
      yield { kind: 'reply', who: due.who, to: due.to, text: due.text }
      answers.push(...nextAnswer(due.rest, number))
      continue
    }
    const chance = random.next()
    if (chance < 0.22 || tweets.length < 3) {
      const thread = threads.next().value
      const number = now()
      remember(number, thread.by, thread.forHolders)
      const { by: who, text, forHolders = false, picture } = thread
      yield { kind: 'post', who, text, forHolders, ...(picture && { picture }) }
      answers.push(...nextAnswer({ post: number, thread, next: 0 }, number))
    } else if (chance < 0.78) yield* like(random, members, tweets)
    else if (chance < 0.84) yield* repost(random, members, tweets)
    else if (chance < 0.92) yield* trade(random, members, market)
    else yield shelf.propose(random) ?? { kind: 'ping', who: random.pick(members).username }
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

function countSharedInterests(a: Character, b: Character): number {
  return a.topics.filter((topic) => b.topics.includes(topic)).length
}

/** Yields the posts written for the members in random order, mixed with reports; then only reports. */
function* createThreads(random: Random, members: readonly Character[]): Generator<Thread, never> {
  const names = new Set(members.map(({ username }) => username))
  const written = random
    .shuffle([...coastAndLand, ...moneyAndLaw, ...machinesAndProof, ...craftAndTable])
    .filter(({ by }) => names.has(by))
    .map((thread) => ({ ...thread, answers: thread.answers.filter(([by]) => names.has(by)) }))
  while (true) {
    const thread = random.chance(0.75) ? written.shift() : undefined
    yield thread ?? report(random, random.pick(members))
  }
}

function report(random: Random, { username: by }: Character): Thread {
  const kinds = reports[by]
  if (!kinds) throw new Error(`${by} has nothing to report`)
  return { by, text: random.pick(kinds)(random), answers: [] }
}

/** The next answer in a thread. The author of the post replies to the previous answer; others reply to the post. */
function nextAnswer({ post, thread, next }: Rest, previous: number): DueAnswer[] {
  const answer = thread.answers[next]
  if (!answer) return []
  const [who, text] = answer
  return [{ who, text, to: who === thread.by ? previous : post, rest: { post, thread, next: next + 1 } }]
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
