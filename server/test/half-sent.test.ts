import { type Endpoint, type EndpointName, endpointList, endpoints } from '@rookery/api'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { suspendAgent, unsuspendAgent } from '../src/features/moderation/suspend.js'
import { isAgentWrite } from '../src/http/writes.js'
import { type HalfSent, sendHalf } from './half-sent.js'
import { listFiles } from './list-files.js'
import { openWorld, type World } from './matrix/callers.js'
import { requests } from './matrix/requests.js'
import { createWallet } from './seed.js'

const moderator = createWallet()

let world: World
beforeAll(async () => {
  world = await openWorld({ MODERATOR_WALLETS: moderator.address })
}, 180_000)
afterAll(() => world.market.stop())

type Named = (typeof endpointList)[number]

const writes: readonly Named[] = endpointList.filter(({ endpoint }) => endpoint.method !== 'GET')
const ofAgents = writes.filter(({ endpoint: { auth } }) =>
  ['agent', 'agent-or-owner', 'signed-in', 'optional'].includes(auth),
)
const governed = ofAgents.filter(({ endpoint }) => endpoint.action !== undefined)
const ofOwners = writes.filter(({ endpoint: { auth } }) =>
  ['owner', 'person', 'agent-or-owner', 'signed-in'].includes(auth),
)
const ofModerators = writes.filter(({ endpoint: { auth } }) => auth === 'moderator')

/** Begins one call of each endpoint, lets the owner speak, and completes the calls. Nothing may have changed since. */
async function expectAfter(
  speak: () => Promise<unknown>,
  answer: string,
  named: readonly Named[],
  credential: Readonly<Record<string, string>>,
): Promise<void> {
  const begun: [EndpointName, HalfSent][] = []
  for (const { name, endpoint } of named) begun.push([name, await begin(name, endpoint, credential)])
  await speak()
  const before = await readEverything()
  const answers: Record<string, string> = {}
  for (const [name, call] of begun) answers[name] = await call.finish()
  expect(answers).toEqual(Object.fromEntries(named.map(({ name }) => [name, answer])))
  expect(await readEverything()).toEqual(before)
}

async function begin(name: EndpointName, endpoint: Endpoint, credential: Readonly<Record<string, string>>) {
  const input = { ...(await requests[name]?.(world)) } as Record<string, unknown>
  return sendHalf(world.market.server.url, endpoint, credential, input)
}

const RECORDS = ['audit_entry', 'refused_call', 'agent_seen', 'instance']

/** All rows and files, except what records refusals and, a while later, who was seen. What was sent counts as sent. */
async function readEverything(): Promise<Record<string, unknown>> {
  const { db, config } = world.market.server.deps
  const tables = await db.many<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  const contents: Record<string, unknown> = { files: await listFiles(config.DATA_DIR) }
  for (const { name } of tables.filter(({ name }) => !RECORDS.includes(name))) {
    const rows = {
      text: `select (to_jsonb(t) - 'uploaded_bytes')::text as row from ${name} t order by 1`,
      values: [],
    } as unknown as typeof sql.prototype
    contents[name] = (await db.many<{ row: string }>(rows)).map(({ row }) => row)
  }
  const { done } = await db.one<{ done: number }>(
    sql`select count(*)::int as done from audit_entry where outcome <> 'refused'`,
  )
  return { ...contents, done }
}

describe('a call whose body arrives after its caller has lost the right to it changes nothing', () => {
  const ada = () => ({ 'X-API-Key': world.ada.apiKey })

  test('every endpoint with an action, after a freeze', async () => {
    const freeze = () => world.owner.freezeAgent({ id: 'ada' })
    await expectAfter(freeze, '403 AGENT_FROZEN', governed, ada()).finally(() =>
      world.owner.unfreezeAgent({ id: 'ada' }),
    )
  })

  test('every endpoint with an action, after a rule forbids it', async () => {
    const forbid = () => world.owner.updateControls({ id: 'ada', allowedActions: [] })
    await expectAfter(forbid, '403 ACTION_NOT_ALLOWED', governed, ada()).finally(() =>
      world.owner.updateControls({ id: 'ada', allowedActions: null }),
    )
  })

  test('every write of an agent, after its suspension', async () => {
    const { deps } = world.market.server
    const named = ofAgents.filter(({ endpoint }) => isAgentWrite(endpoint) || endpoint.action)
    await expectAfter(() => suspendAgent(deps, 'ada'), '403 AGENT_SUSPENDED', named, ada()).finally(() =>
      unsuspendAgent(deps, 'ada'),
    )
  })

  test('every write of a person, after a logout', async () => {
    const { token, refreshToken } = await world.market.server.seed.login('ada')
    const leave = () => world.anyone.endSession({ refreshToken })
    await expectAfter(leave, '401 INVALID_TOKEN', ofOwners, { Authorization: `Bearer ${token}` })
  })

  test('every write of a moderator, after a logout', async () => {
    const { token, refreshToken } = (await world.market.server.seed.signIn(moderator)).session
    const leave = () => world.anyone.endSession({ refreshToken })
    await expectAfter(leave, '401 INVALID_TOKEN', ofModerators, { Authorization: `Bearer ${token}` })
  })

  test('a tweet above a cap that was set meanwhile: what counts is what was posted before it', async () => {
    const { createTweet } = endpoints
    const half = () => sendHalf(world.market.server.url, createTweet, ada(), { content: `Half ${world.next()}` })
    const begun = await Promise.all(Array.from({ length: 5 }, half))
    const { postsToday } = (await world.owner.getOwnedAgent({ id: 'ada' })).controls
    await world.owner.updateControls({ id: 'ada', maxDailyPosts: postsToday + 2 })
    const answers = await Promise.all(begun.map((call) => call.finish()))
    await world.owner.updateControls({ id: 'ada', maxDailyPosts: null })
    expect(answers.sort()).toEqual(['201', '201', ...Array<string>(3).fill('403 CAP_REACHED')])
  })

  test('every endpoint that takes a key, after the key was replaced', async () => {
    const replace = () => world.ada.client.regenerateKey()
    await expectAfter(replace, '401 INVALID_API_KEY', ofAgents, ada())
  })
})
