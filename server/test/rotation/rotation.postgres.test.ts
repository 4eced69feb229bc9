import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resealAll } from '../../src/start/sealed.js'
import { createTestDatabase, type TestDatabase } from '../database.js'
import { type PushService, startPushService } from '../push-service.js'
import { startReceiver, type TestReceiver } from '../receiver.js'
import { startServerOn, type TestServer } from '../start-server.js'
import { listKeyedThings } from './keyed-things.js'

let database: TestDatabase
let receiver: TestReceiver
let pushes: PushService
let server: TestServer | undefined
const [old, recent, other] = [1, 2, 3].map(() => randomBytes(32).toString('hex')) as [string, string, string]
// The same address for all, so that what names it holds on each.
const env = { WEBHOOKS_ALLOW_PRIVATE: 'yes', WEB_URL: 'http://localhost:4321' }

beforeAll(async () => {
  database = await createTestDatabase()
  receiver = await startReceiver()
  pushes = await startPushService()
})
afterAll(async () => {
  await server?.stop()
  await receiver.stop()
  await pushes.stop()
  await database.remove()
})

const start = (secret: string, on = database) => startServerOn({ ...on.env, SERVER_SECRET: secret }, { env })

async function restart(secret: string): Promise<TestServer> {
  await server?.stop()
  server = undefined
  server = await start(secret)
  return server
}

const refusalOf = async (secret: string) =>
  restart(secret).then(
    () => 'started',
    (error: Error) => error.message,
  )

type Holds = (server: TestServer) => Promise<boolean>

describe('a secret that is replaced', () => {
  const failing: Record<string, string[]> = { both: [], alone: [], withoutUse: [] }
  let stillAccepted: string[] = []

  async function collect(as: string, made: readonly (readonly [string, Holds])[], now: TestServer): Promise<void> {
    for (const [name, holds] of made)
      if ((await holds(now).catch(String)) !== true) failing[as]?.push(`${name}: ${await holds(now).catch(String)}`)
  }

  beforeAll(async () => {
    const things = listKeyedThings(receiver, pushes)
    const makeAll = async (at: TestServer, wanted = things) => {
      const made: [string, Holds][] = []
      for (const { name, make } of wanted) made.push([name, await make(at)])
      return made
    }
    const first = await restart(old)
    const byOld = await makeAll(first)
    const lasting = await makeAll(
      first,
      things.filter(({ lasts }) => lasts),
    )
    // What says who calls or what may be read, and can be tried more than once.
    const signed = await makeAll(
      first,
      things.filter(({ name }) => name.includes('access token') || name.includes('signed URL')),
    )
    const both = await restart(`${recent},${old}`)
    await collect('both', byOld, both)
    const byRecent = await makeAll(both)
    await resealAll(both.deps)
    const alone = await restart(recent)
    await collect('alone', byRecent, alone)
    await collect('withoutUse', lasting, alone)
    const accepted = signed.map(async ([name, holds]) => ((await holds(alone).catch(() => false)) ? [name] : []))
    stillAccepted = (await Promise.all(accepted)).flat()
    expect(signed).toHaveLength(2)
  }, 240_000)

  test('is accepted while it is in the list: nobody notices', () => {
    expect(failing.both).toEqual([])
  })

  test('can be dropped: what was made with the newer one holds', () => {
    expect(failing.alone).toEqual([])
  })

  test('leaves what lasts, though nobody used it while both were in the list', () => {
    expect(failing.withoutUse).toEqual([])
  })

  test('has signed nothing that counts once it is dropped', () => {
    expect(stillAccepted).toEqual([])
  })

  test('opens the database no more once it is dropped, and neither does another', async () => {
    const wrong = 'SERVER_SECRET is not the one this database was made with'
    expect(await refusalOf(old)).toContain(wrong)
    expect(await refusalOf(other)).toContain(wrong)
    expect(await refusalOf(`${other},${old}`)).toContain(wrong)
  }, 240_000)

  test('is in no table in clear', async () => {
    const { deps } = await restart(recent)
    const { rows } = await deps.database.pool.query<{ value: string }>('select value from setting')
    for (const { value } of rows) for (const secret of [old, recent]) expect(value).not.toContain(secret)
  }, 240_000)

  test('cannot be dropped while a webhook needs it', async () => {
    const now = await restart(recent)
    const { needy } = await now.seed.agents('needy')
    await needy.client.createWebhook({ url: receiver.url })
    const once = {
      method: 'POST',
      headers: { 'X-API-Key': needy.apiKey, 'Idempotency-Key': randomUUID(), 'Content-Type': 'application/json' },
      body: JSON.stringify({ content: 'said once' }),
    }
    expect((await fetch(`${now.url}/v1/tweets`, once)).status).toBe(201)
    await restart(`${other} ${recent}`)
    expect(await refusalOf(other)).toMatch(
      /no longer has the secret [0-9a-f]{16}, which \d+ webhooks? .*still depend on/,
    )
    const both = await restart(`${other}\n${recent}`)
    await both.deps.queue.enqueue(both.deps.db, 'delete_expired', {}, { dedupeKey: 'delete_expired' })
    await both.drain()
    expect(await refusalOf(other)).toBe('started')
    // What it answered cannot be read any more, and is not done again.
    const again = await fetch(`${server?.url}/v1/tweets`, once)
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('IDEMPOTENCY_ANSWER_LOST')])
  }, 240_000)
})

describe('two instances that are restarted in turn', () => {
  test('accept what the other makes, at every step', async () => {
    const apart = await createTestDatabase()
    const things = listKeyedThings(receiver, pushes).filter(({ lasts, name }) => !lasts || name.includes('webhook'))
    const failing: string[] = []
    const steps = [old, `${old},${recent}`, `${recent},${old}`, recent]
    let [behind, ahead] = [await start(old, apart), undefined as TestServer | undefined]
    try {
      for (const secret of steps.slice(1)) {
        // What the older secret has sealed until then is sealed anew before it is dropped.
        await resealAll(behind.deps)
        ahead = await start(secret, apart)
        for (const { name, make } of things) {
          const here = await make(ahead)
          const there = await make(behind)
          const [one, two] = [await here(behind).catch(String), await there(ahead).catch(String)]
          if (one !== true || two !== true) failing.push(`${name} at ${steps.indexOf(secret)}: ${one}, ${two}`)
        }
        await behind.stop()
        behind = ahead
        ahead = undefined
      }
    } finally {
      await behind.stop()
      await ahead?.stop()
      await apart.remove()
    }
    expect(failing).toEqual([])
  }, 240_000)
})
