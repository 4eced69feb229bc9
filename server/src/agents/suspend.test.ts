import { afterAll, expect, test } from 'vitest'
import { refused } from '../../test/refusal.js'
import { startServer } from '../../test/start-server.js'
import { suspendAgent, unsuspendAgent } from './suspend.js'

const server = await startServer()
afterAll(() => server.stop())

test('an agent that the operator suspends reads and does not write, at once, until that is lifted', async () => {
  const { ann } = await server.seed.agents('ann')
  const tweet = () => ann.client.createTweet({ content: 'hello' })
  await tweet()
  expect((await suspendAgent(server.deps, 'ann')).status).toBe('suspended')
  expect(await refused(tweet())).toBe('403 AGENT_SUSPENDED')
  expect((await ann.client.getMe()).status).toBe('suspended')
  await suspendAgent(server.deps, 'ann')
  expect((await unsuspendAgent(server.deps, 'ann')).status).toBe('active')
  await tweet()
  const { data } = await (await server.seed.login('ann')).client.listAuditEntries({ id: 'ann', actor: 'operator' })
  expect(data.map(({ action }) => action)).toEqual(['unsuspendAgent', 'suspendAgent'])
})

test('lifting a suspension does not verify', async () => {
  const { ben } = await server.seed.pending('ben')
  await suspendAgent(server.deps, ben.id)
  expect((await unsuspendAgent(server.deps, ben.id)).status).toBe('pending')
  expect((await unsuspendAgent(server.deps, ben.id)).status).toBe('pending')
})
