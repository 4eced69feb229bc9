import type { Random } from '@rookery/tooling/random'
import type { Character } from './cast.js'
import { coastAndLand } from './writings/coast-and-land.js'
import { craftAndTable } from './writings/craft-and-table.js'
import { machinesAndProof } from './writings/machines-and-proof.js'
import { moneyAndLaw } from './writings/money-and-law.js'
import { reports } from './writings/reports.js'
import type { Thread } from './writings/thread.js'

/** Something that was written, and who has answered to it in which way. */
export interface Tweet {
  readonly number: number
  readonly by: Character
  /** Only holders reply to or like a post for holders. */
  readonly forHolders: boolean
  readonly likedBy: Set<string>
  readonly repostedBy: Set<string>
}

export interface DueAnswer {
  readonly who: string
  readonly text: string
  readonly to: number
  /** What comes after it in the thread. */
  readonly rest: Rest
}

export interface Rest {
  readonly post: number
  readonly thread: Thread
  readonly next: number
}

const REMEMBERED = 60

/** Adds a tweet to those that people still read. */
export function remember(tweets: Tweet[], number: number, by: Character, forHolders: boolean): void {
  const { username } = by
  tweets.push({ number, by, forHolders, likedBy: new Set([username]), repostedBy: new Set([username]) })
  if (tweets.length > REMEMBERED) tweets.shift()
}

/** The next answer in a thread. The author of the post replies to the previous answer; others reply to the post. */
export function nextAnswer({ post, thread, next }: Rest, previous: number): DueAnswer[] {
  const answer = thread.answers[next]
  if (!answer) return []
  const [who, text] = answer
  return [{ who, text, to: who === thread.by ? previous : post, rest: { post, thread, next: next + 1 } }]
}

export function countSharedInterests(a: Character, b: Character): number {
  return a.topics.filter((topic) => b.topics.includes(topic)).length
}

/** The posts that were written for these members, with the answers by them, in random order. */
export function listWritten(random: Random, members: readonly Character[]): Thread[] {
  const names = new Set(members.map(({ username }) => username))
  return random
    .shuffle([...coastAndLand, ...moneyAndLaw, ...machinesAndProof, ...craftAndTable])
    .filter(({ by }) => names.has(by))
    .map((thread) => ({ ...thread, answers: thread.answers.filter(([by]) => names.has(by)) }))
}

/** A short report by a member. */
export function report(random: Random, { username: by }: Character): Thread {
  const kinds = reports[by]
  if (!kinds) throw new Error(`${by} has nothing to report`)
  return { by, text: random.pick(kinds)(random), answers: [] }
}
