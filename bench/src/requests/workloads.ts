import { createHash } from 'node:crypto'
import { topics } from '@rookery/tooling/topics'
import type { HttpRequest } from '../load/start-generator.js'
import type { Sample } from '../seed/sample.js'
import { mix, type Part } from './mix.js'
import { pairs } from './pairs.js'

/** One kind of request. */
export interface Workload {
  readonly name: string
  /** Whether a request may be sent only once, because a repetition would have nothing to do. */
  readonly isWrite?: boolean
  /** Whether a run goes on where the one before ended, because a repetition would be another kind of request. */
  readonly isAnew?: boolean
  /** Whether it needs vectors of real texts, or creates some. */
  readonly embeds?: boolean
  /** How long it runs before it is measured. Default: `WARM_UP_SECONDS`. */
  readonly warmUpSeconds?: number
  /** Requests from the n-th on. */
  requests(data: RequestData, from: number, count: number): HttpRequest[]
}

export interface RequestData extends Omit<Sample, 'agentNumbers'> {
  /** The key of each agent. */
  readonly keys: readonly string[]
}

type One = (data: RequestData, n: number) => HttpRequest

const workload = (name: string, one: One, more: Partial<Workload> = {}): Workload => ({
  name,
  ...more,
  requests: (data, from, count) => Array.from({ length: count }, (_, index) => one(data, from + index)),
})

const at = <T>(items: readonly T[], n: number): T => {
  const item = items[n % items.length]
  if (item === undefined) throw new Error('The sample is empty')
  return item
}

function read(name: string, path: string | ((data: RequestData, n: number) => string), isAnonymous = false): Workload {
  const pathOf = typeof path === 'string' ? () => path : path
  return workload(isAnonymous ? `${name}, anonymous` : name, (data, n) => ({
    method: 'GET',
    path: pathOf(data, n),
    ...(!isAnonymous && { apiKey: at(data.keys, n) }),
  }))
}

// Steps through the tweets and the keys differ, so that many different pairs occur.
const tweetIdAt = ({ tweetIds }: RequestData, n: number) => at(tweetIds, n * 7)
const tweetPath = (data: RequestData, n: number) => `/v1/tweets/${tweetIdAt(data, n)}`

export const workloads: readonly Workload[] = [
  read('newest 20', '/v1/tweets?mode=new', true),
  read('newest 20', '/v1/tweets?mode=new'),
  read('trending 20', '/v1/tweets?mode=trending', true),
  read('trending 20', '/v1/tweets?mode=trending'),
  read('for you', '/v1/tweets?mode=for_you'),
  read('single tweet', tweetPath, true),
  read('single tweet', tweetPath),
  read('me', '/v1/agents/me'),
  read('notifications', '/v1/notifications'),
  read('unread count', '/v1/notifications/unread-count'),
  read('agents', '/v1/agents?limit=20'),
  read('newest with a word', (_, n) => `/v1/tweets?mode=new&search=${encodeURIComponent(words(n, 1))}`),
  read('trending with a word', (_, n) => `/v1/tweets?mode=trending&search=${encodeURIComponent(words(n, 1))}`),
  read('newest with two words', (_, n) => `/v1/tweets?mode=new&search=${encodeURIComponent(words(n, 2))}`),
  { ...read('search by meaning', (_, n) => `/v1/tweets/search?q=${encodeURIComponent(words(n, 3))}`), embeds: true },
  { ...read('search again', (_, n) => `/v1/tweets/search?q=${encodeURIComponent(words(n % 8, 1))}`), embeds: true },
  {
    ...read('search anew', (_, n) => `/v1/tweets/search?q=${encodeURIComponent(newWords(n))}`),
    embeds: true,
    isAnew: true,
  },
  read('quote', ({ launchedIds }, n) => `/v1/share/quote?side=buy&amount=1&agentId=${at(launchedIds, n)}`),
  read('heartbeat', '/HEARTBEAT.md'),
  likes(0),
  follows(0),
  texts('create tweet', 0),
  mix('mixed', mixture()),
]

/** What agents do all day: 70 parts of reads, 30 of writes, and heartbeats in between. */
function mixture(): Part[] {
  return [
    [17, read('newest 20', '/v1/tweets?mode=new')],
    [8, read('trending 20', '/v1/tweets?mode=trending')],
    [8, read('for you', '/v1/tweets?mode=for_you')],
    [14, read('single tweet', tweetPath)],
    [9, read('me', '/v1/agents/me')],
    [8, read('notifications', '/v1/notifications')],
    [6, read('search again', (_, n) => `/v1/tweets/search?q=${encodeURIComponent(words(n % 8, 2))}`)],
    [13, likes(1)],
    [5, follows(1)],
    [4, reposts()],
    [4, texts('create tweet', 1)],
    [4, texts('reply', 2, tweetIdAt)],
    [5, read('heartbeat', '/HEARTBEAT.md')],
  ]
}

/** Two workloads of one run use different pairs if their turns differ. */
function likes(turn: 0 | 1): Workload {
  return pairs('like', {
    turn,
    taken: ({ likes }) => likes,
    others: ({ tweetIds }) => tweetIds,
    one: (id) => ({ method: 'POST', path: `/v1/tweets/${id}/like` }),
    undo: (id) => ({ method: 'DELETE', path: `/v1/tweets/${id}/like` }),
  })
}

function follows(turn: 0 | 1): Workload {
  return pairs('follow', {
    turn,
    taken: ({ follows }) => follows,
    others: ({ agentIds }) => agentIds,
    isAmongThemselves: true,
    one: (id) => ({ method: 'POST', path: `/v1/agents/${id}/follow` }),
    undo: (id) => ({ method: 'POST', path: `/v1/agents/${id}/unfollow` }),
  })
}

function reposts(): Workload {
  return pairs('repost', {
    turn: 0,
    taken: ({ reposts }) => reposts,
    others: ({ tweetIds }) => tweetIds,
    one: (parentTweetId) => ({
      method: 'POST',
      path: '/v1/tweets',
      body: { content: '', type: 'REPOST', parentTweetId },
      expectedStatus: 201,
    }),
  })
}

// More than any run writes.
const TEXTS = 100_000_000

/** New texts, and no two alike: otherwise the service would refuse them as repetitions. Each series has its own. */
function texts(name: string, series: number, parentOf?: (data: RequestData, n: number) => string): Workload {
  const one: One = (data, n) => ({
    method: 'POST',
    path: '/v1/tweets',
    apiKey: at(data.keys, n),
    body: { content: textOf(series * TEXTS + n), ...(parentOf && { parentTweetId: parentOf(data, n) }) },
    expectedStatus: 201,
  })
  return workload(name, one, { isWrite: true, embeds: true })
}

const vocabulary = Object.values(topics).map((text) => text.split(' '))
const allWords = vocabulary.flat()
const WORDS_OF_A_TEXT = 12

/** Words on one topic, different for every n. */
function words(n: number, count: number): string {
  const topic = at(vocabulary, n)
  return Array.from({ length: count }, (_, place) => at(topic, Math.floor(n / 12) * (2 * place + 1) + 7 * place)).join(
    ' ',
  )
}

/** Three words on one topic, in this order never before. */
function newWords(n: number): string {
  const topic = at(vocabulary, n)
  const turn = Math.floor(n / vocabulary.length)
  return [0, 1, 2].map((place) => at(topic, Math.floor(turn / topic.length ** place) + 7 * place)).join(' ')
}

/** A text for every n. Two of them have less than one word in twelve in common on average. */
function textOf(n: number): string {
  const digest = createHash('sha256').update(String(n)).digest()
  const chosen = Array.from({ length: WORDS_OF_A_TEXT }, (_, place) => at(allWords, digest.readUInt16BE(2 * place)))
  return `${chosen.join(' ')} (${n})`
}
