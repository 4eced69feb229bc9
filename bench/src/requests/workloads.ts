import { topics } from '@rookery/tooling/topics'
import type { HttpRequest } from '../load/start-generator.js'
import type { Sample } from '../seed/sample.js'

/** One kind of request. */
export interface Workload {
  readonly name: string
  /** Default 200. */
  readonly expectedStatus?: number
  /** Whether a request may be sent only once, because a repetition would have nothing to do. */
  readonly isWrite?: boolean
  /** Whether a run goes on where the one before ended, because a repetition would be another kind of request. */
  readonly isAnew?: boolean
  /** Whether it needs vectors of real texts, or creates some. */
  readonly embeds?: boolean
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
const tweetPath = ({ tweetIds }: RequestData, n: number) => `/v1/tweets/${at(tweetIds, n * 7)}`

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
  pairs(
    'like',
    'likes',
    (data) => data.tweetIds,
    (id) => `/v1/tweets/${id}/like`,
  ),
  pairs(
    'follow',
    'follows',
    (data) => data.agentIds,
    (id) => `/v1/agents/${id}/follow`,
  ),
  workload(
    'create tweet',
    ({ keys }, n) => ({
      method: 'POST',
      path: '/v1/tweets',
      apiKey: at(keys, n),
      body: { content: `${words(n, 12)} (${n})` },
    }),
    { expectedStatus: 201, isWrite: true, embeds: true },
  ),
]

const vocabulary = Object.values(topics).map((text) => text.split(' '))

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

/** Requests that connect an agent with something else. Each pair occurs once, and none is already connected. */
function pairs(
  name: string,
  taken: 'likes' | 'follows',
  others: (data: RequestData) => readonly string[],
  path: (id: string) => string,
): Workload {
  return {
    name,
    isWrite: true,
    requests(data, from, count) {
      const free = freePairs(data.agentIds.length, others(data).length, new Set(data[taken]), taken === 'follows')
      const requests: HttpRequest[] = []
      let place = 0
      for (const [agent, other] of free) {
        if (place++ < from) continue
        requests.push({ method: 'POST', path: path(at(others(data), other)), apiKey: at(data.keys, agent) })
        if (requests.length === count) return requests
      }
      throw new Error(`${name}: all ${place} pairs are used; seed more tweets`)
    },
  }
}

/** All free pairs, each once. Consecutive pairs have no member in common. */
export function* freePairs(
  agents: number,
  others: number,
  taken: ReadonlySet<string>,
  isAmongThemselves: boolean,
): Generator<readonly [agent: number, other: number]> {
  const step = Math.max(1, Math.floor(others / agents)) + 1
  for (let turn = 0; turn < others; turn++)
    for (let agent = 0; agent < agents; agent++) {
      const other = (turn + agent * step) % others
      if (isAmongThemselves && agent === other) continue
      if (!taken.has(`${agent}:${other}`)) yield [agent, other]
    }
}
