import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { Webhook } from 'standardwebhooks'
import { spendTicket } from '../../src/features/live/tickets.js'
import type { PushService } from '../push-service.js'
import type { TestReceiver } from '../receiver.js'
import { refused } from '../refusal.js'
import { followLogin } from '../seed.js'
import type { TestServer } from '../start-server.js'

/** Something that is keyed by the secret. */
export interface KeyedThing {
  readonly name: string
  /** Whether it still holds when the secret that it was made with has been dropped. */
  readonly lasts: boolean
  /** Makes one on a server. What it returns answers on another whether it holds there. */
  make(server: TestServer): Promise<(server: TestServer) => Promise<boolean>>
}

let names = 0
const newName = () => `keyed${names++}`

/** Everything that is keyed by SERVER_SECRET, as a caller has it. */
export function listKeyedThings(receiver: TestReceiver, pushes: PushService): KeyedThing[] {
  const thing = (name: string, make: KeyedThing['make'], lasts = true): KeyedThing => ({ name, lasts, make })
  return [
    thing('an API key', async (server) => {
      const { username, apiKey } = await newAgent(server)
      return async (server) => (await server.client({ apiKey }).getMe()).username === username
    }),

    thing('an API key that somebody publishes', async (server) => {
      const [leaky, { apiKey }] = [await newAgent(server), await newAgent(server)]
      return async (server) => {
        const client = server.client({ apiKey: leaky.apiKey })
        const isRefused = (await refused(client.createTweet({ content: `it is ${apiKey}` }))).includes(
          'SECRET_IN_CONTENT',
        )
        return isRefused && (await refused(server.client({ apiKey }).getMe())) === '401 INVALID_API_KEY'
      }
    }),

    thing(
      'a person’s access token',
      async (server) => {
        const { username } = await newAgent(server)
        const { token } = await server.seed.login(username)
        return async (server) => (await server.client({ token }).getOwner()).agents.length === 1
      },
      false,
    ),

    thing('a refresh token and its family', async (server) => {
      const { username } = await newAgent(server)
      const { refreshToken } = await server.seed.login(username)
      return async (server) => {
        const anyone = server.client()
        const next = await anyone.refreshSession({ refreshToken })
        await server.client({ token: next.token }).getOwner()
        const again = await refused(anyone.refreshSession({ refreshToken }))
        const family = await refused(anyone.refreshSession({ refreshToken: next.refreshToken }))
        return [again, family].every((answer) => answer === '401 REFRESH_TOKEN_INVALID')
      }
    }),

    thing('the cookie of a session', async (server) => {
      const { username } = await newAgent(server)
      const { cookie } = await completeInBrowser(server, await beginInBrowser(server), username)
      return async (server) => (await callFromBrowser(server, '/refresh', { cookie })).status === 200
    }),

    thing(
      'a login that a browser has begun',
      async (server) => {
        const { username } = await newAgent(server)
        const begun = await beginInBrowser(server)
        return async (server) => (await completeInBrowser(server, begun, username)).status === 200
      },
      false,
    ),

    thing('the session of a wallet', async (server) => {
      const { session } = await server.seed.signIn()
      return async (server) => {
        const { token } = await server.client().refreshSession({ refreshToken: session.refreshToken })
        return (await server.client({ token }).listAlerts()).data.length === 0
      }
    }),

    thing('a ticket for live events', async (server) => {
      const { client, id } = await newAgent(server)
      const { ticket } = await client.createTicket()
      return async (server) => {
        const viewer = (await spendTicket(server.deps, ticket))?.viewer
        return viewer !== undefined && 'id' in viewer && viewer.id === id
      }
    }),

    thing('a cursor', async (server) => {
      const { client, apiKey } = await newAgent(server)
      for (const description of ['first', 'second']) await client.createWebhook({ url: receiver.url, description })
      const { meta } = await client.listWebhooks({ limit: 1 })
      const cursor = meta.nextCursor ?? ''
      return async (server) => {
        const { data } = await server.client({ apiKey }).listWebhooks({ limit: 1, cursor })
        return data[0]?.description === 'first'
      }
    }),

    thing(
      'the signed URL of a file',
      async (server) => {
        const { client } = await newAgent(server)
        const background = { r: names % 256, g: names >> 8, b: Math.floor(Math.random() * 256) }
        const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
          .png()
          .toBuffer()
        const { url } = await client.uploadFile({ file: new Blob([Uint8Array.from(picture)]) })
        const { pathname, search } = new URL(url)
        return async ({ url }) => (await fetch(`${url}${pathname}${search}`)).status === 200
      },
      false,
    ),

    thing('the secret of a webhook, and the one before', async (server) => {
      const { client, apiKey } = await newAgent(server)
      const { webhook, secret: first } = await client.createWebhook({ url: receiver.url })
      const { id } = webhook
      const { secret } = await client.rotateWebhookSecret({ id })
      return async (server) => {
        await server.client({ apiKey }).pingWebhook({ id })
        await server.drain()
        const delivery = receiver.received.findLast(({ body }) => body.includes(id))
        return [first, secret].every((key) => delivery !== undefined && isSignedBy(key, delivery))
      }
    }),

    thing('a browser that is notified', async (server) => {
      const { username, apiKey } = await newAgent(server)
      const { refreshToken, client } = await server.seed.login(username)
      const { endpoint, keys, messages } = pushes.subscribe()
      const { id } = await client.createPushSubscription({ endpoint, keys })
      await client.updateControls({ id: username, approvePostsAfter: 0 })
      const { publicKey } = (await server.client().getConfig()).push
      return async (server) => {
        await server.client({ apiKey }).createTweet({ content: `May ${username} say this?` })
        await server.drain()
        const authorization = pushes.received.findLast(({ path }) => endpoint.endsWith(path))?.headers.authorization
        const renewed = await server.client().refreshSession({ refreshToken })
        const again = await server.client({ token: renewed.token }).createPushSubscription({ endpoint, keys })
        return messages.length > 0 && authorization?.includes(`k=${publicKey}`) === true && again.id === id
      }
    }),

    thing(
      'the answer to an Idempotency-Key',
      async (server) => {
        const { apiKey } = await newAgent(server)
        const key = randomUUID()
        const call = (server: TestServer) =>
          post(server, '/v1/tweets', { apiKey, key, body: { content: `Once, whatever becomes of ${key}` } })
        const before = await call(server)
        return async (server) => {
          const after = await call(server)
          return before.status === 201 && after.replayed && after.text === before.text
        }
      },
      false,
    ),

    thing(
      'the answer with a new key, to the one that it replaced',
      async (server) => {
        const { apiKey } = await newAgent(server)
        const key = randomUUID()
        const call = (server: TestServer) => post(server, '/v1/agents/me/regenerate-key', { apiKey, key, body: {} })
        const before = await call(server)
        return async (server) => {
          const after = await call(server)
          return before.status < 300 && after.replayed && after.text === before.text
        }
      },
      false,
    ),

    thing('a claim link, and the code in a post', async (server) => {
      const name = newName()
      const agent = (await server.seed.pending(name))[name]
      const { postText } = await server.client().getAgentByClaim({ code: agent?.claimToken ?? '' })
      return async (server) => {
        const { claimToken = '', verificationCode = '', apiKey = '' } = agent ?? {}
        const anyone = server.client()
        const byCode = await anyone.getAgentByClaim({ code: verificationCode })
        const byToken = await anyone.getAgentByClaim({ code: claimToken })
        const { url } = await anyone.createLocalPost({ handle: `x_${name}`, text: postText })
        const { status } = await server.client({ apiKey }).verifyAgent({ tweetUrl: url })
        return byCode.id === agent?.id && byToken.verificationCode === verificationCode && status === 'active'
      }
    }),
  ]
}

async function newAgent({ seed }: TestServer) {
  const name = newName()
  const agent = (await seed.agents(name))[name]
  if (!agent) throw new Error('not seeded')
  return agent
}

interface BrowserCall {
  readonly cookie?: string
  readonly body?: object
}

function callFromBrowser({ url, config }: TestServer, path: string, { cookie = '', body = {} }: BrowserCall) {
  return fetch(`${url}/v1/auth/session${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: config.webUrl, ...(cookie && { Cookie: cookie }) },
    body: JSON.stringify(body),
  })
}

function cookieOf(response: Response, name: string): string {
  const line = response.headers.getSetCookie().find((line) => line.startsWith(`rookery_${name}=`))
  return line?.split(';')[0] ?? ''
}

async function beginInBrowser(server: TestServer) {
  const response = await callFromBrowser(server, '/login', {})
  const { url } = (await response.json()) as { url: string }
  return { url, cookie: cookieOf(response, 'login') }
}

async function completeInBrowser(
  server: TestServer,
  { url, cookie }: { url: string; cookie: string },
  username: string,
): Promise<{ status: number; cookie: string }> {
  const { code, state } = await followLogin(url, `x_${username}`, server.url)
  const response = await callFromBrowser(server, '', { cookie, body: { code, state } })
  return { status: response.status, cookie: cookieOf(response, 'session') }
}

function isSignedBy(secret: string, { headers, body }: TestReceiver['received'][0]): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  const expected = new Webhook(secret).sign(String(headers['webhook-id']), at, body)
  return String(headers['webhook-signature']).split(' ').includes(expected)
}

async function post(
  { url }: TestServer,
  path: string,
  { apiKey, key, body }: { apiKey: string; key: string; body: object },
) {
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'Idempotency-Key': key }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return {
    status: response.status,
    replayed: response.headers.get('idempotent-replayed') === 'true',
    text: await response.text(),
  }
}
