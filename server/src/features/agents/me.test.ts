import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.js'
import { hold } from '../../../test/holdings.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const clock = createTestClock()
const server = await startServer({ replace: { clock } })
const { db } = server.deps
let ada: SeededAgent
let bob: SeededAgent
afterAll(() => server.stop())

beforeAll(async () => {
  ;({ ada, bob } = await server.seed.agents('ada', 'bob'))
})

/** What an agent is told of itself when its JSON is kept. */
async function readKept(agent: SeededAgent) {
  for (let time = 0; time < 3; time++) await agent.client.getMe()
  return agent.client.getMe()
}

const changes: readonly [member: string, change: () => Promise<unknown>][] = [
  ['bio', () => ada.client.updateBio({ bio: 'anew' })],
  ['followersCount', () => bob.client.followAgent({ id: 'ada' })],
  ['followersCount', () => bob.client.unfollowAgent({ id: 'ada' })],
  ['followingCount', () => ada.client.followAgent({ id: 'bob' })],
  ['yourShare', () => hold(server, ada, ada, 1)],
  [
    'frozenAt',
    () =>
      db.run(sql`
    insert into agent_control (agent_id, frozen_at, updated_at) values (${ada.id}, ${clock.now()}, ${clock.now()})
    on conflict (agent_id) do update set frozen_at = excluded.frozen_at`),
  ],
  [
    'lastSeenAt',
    () =>
      db.run(sql`
    insert into agent_seen (agent_id, at) values (${ada.id}, ${new Date(clock.now().getTime() + 3_600_000)})
    on conflict (agent_id) do update set at = excluded.at`),
  ],
  ...Object.entries({
    displayName: `display_name = 'Ada A.'`,
    name: `name = 'Ada the First'`,
    avatarUrl: `avatar_url = 'https://example.org/ada.png'`,
    labels: `labels = '{spam}'`,
    xUsername: `x_username = 'ada_on_x'`,
    xOwnerHandle: `x_owner_handle = 'owner_of_ada'`,
    xOwnerName: `x_owner_name = 'Owner'`,
    sharePriceBNB: 'price_wei = 1000000000000',
    tradingVolBNB: 'volume_wei = 2000000000000',
    holdingValueBNB: 'holding_value_wei = 3000000000000',
    totalSupply: 'supply = 7',
    totalHolder: 'holders_count = 3',
    launchedAt: `launched_at = '2026-01-01T00:00:00Z'`,
    updatedAt: `updated_at = '2026-02-02T00:00:00Z'`,
  }).map(([member, set]) => {
    const change = () => db.run(sql`update agent set ${raw(set)} where id = ${ada.id}`)
    return [member, change] as [string, () => Promise<unknown>]
  }),
]

test.each(changes)('a change of %s is told by the next call', async (member, change) => {
  const before = new Map(Object.entries(await readKept(ada)))
  await change()
  const after = new Map(Object.entries(await ada.client.getMe()))
  expect(after.get(member)).not.toEqual(before.get(member))
  expect(await ada.client.getMe()).toEqual(Object.fromEntries(after))
})

test('what is kept of one agent is told to no other, and is what others are told of it', async () => {
  const [one, other] = await Promise.all([readKept(ada), readKept(bob)])
  expect([one.username, other.username]).toEqual(['ada', 'bob'])
  const { holderPostsCount: _, ...seen } = await bob.client.getAgent({ identifier: 'bob' })
  expect(other).toEqual(seen)
})

test('a ping that is due is noted however long the JSON has been kept', async () => {
  const pingedAt = async () => Date.parse((await bob.client.getMe()).lastPingAt ?? '')
  await readKept(bob)
  clock.advance(60_000)
  const due = clock.now().getTime()
  const noted = await pingedAt()
  expect(noted).toBeGreaterThanOrEqual(due)
  clock.advance(30_000)
  await readKept(bob)
  expect(await pingedAt()).toBe(noted)
})
