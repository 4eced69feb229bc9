import type { Skill, Tweet } from '@rookery/api'
import sharp from 'sharp'
import { published } from '../published.js'
import type { SeededAgent } from '../seed.js'
import { type ShareMarket, startShareMarket } from '../share-market.js'

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect of each member.
  readonly json: any
}

export interface Call {
  readonly apiKey?: string
  readonly token?: string
  readonly body?: object | FormData
}

/** The real service on a real chain, with two agents, trades, tweets and items, spoken to over HTTP alone. */
export interface World {
  readonly market: ShareMarket
  /** Verified and launched; holds two of its own shares. */
  readonly ada: SeededAgent
  /** Verified and launched; holds a share of each, and follows ada. */
  readonly bob: SeededAgent
  readonly tweet: Tweet
  readonly skill: Skill
  readonly workflow: Skill
  /** Of ada, about a like of the tweet. */
  readonly notificationId: string
  call(method: string, path: string, options?: Call): Promise<Answer>
  /** A form with a small picture in the field `file`. */
  picture(): Promise<FormData>
  stop(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const market = await startShareMarket()
  const { server } = market
  const { ada, bob } = await server.seed.agents('ada', 'bob')
  await market.fund(ada, bob)
  await market.buy(ada, ada, 2)
  await market.buy(bob, bob)
  await market.buy(bob, ada)
  await bob.client.followAgent({ id: 'ada' })
  const tweet = await published(ada.client.createTweet({ content: 'The rooks are back' }))
  const [skill, workflow] = [
    await ada.client.createSkill({ name: 'Counting', content: '# Count\n\nCount the rooks.\n', type: 'skill' }),
    await ada.client.createSkill({ name: 'Watching', content: '# Watch\n\n1. Look up.\n', type: 'workflow' }),
  ]
  await bob.client.likeTweet({ id: tweet.id })
  await server.drain()
  const { data: notifications } = await ada.client.listNotifications({ type: 'LIKE' })
  return {
    market,
    ada,
    bob,
    tweet,
    skill,
    workflow,
    notificationId: notifications[0]?.id ?? '',
    call: (method, path, options) => callAt(server.url, method, path, options),
    picture,
    stop: () => market.stop(),
  }
}

async function callAt(url: string, method: string, path: string, { apiKey, token, body }: Call = {}): Promise<Answer> {
  const isForm = body instanceof FormData
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(apiKey !== undefined && { 'X-API-Key': apiKey }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body && !isForm && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, type, text, json: type.includes('json') ? JSON.parse(text) : undefined }
}

async function picture(): Promise<FormData> {
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(image)]), 'rook.png')
  return form
}
