import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

type Owner = Awaited<ReturnType<typeof server.seed.login>>['client']

let alice: SeededAgent
let owner: Owner
let stranger: Owner
beforeAll(async () => {
  ;({ alice } = await server.seed.agents('alice', 'bob'))
  owner = (await server.seed.login('alice')).client
  stranger = (await server.seed.login('bob')).client
})

const item = { name: 'Weather', content: '# Weather\n\nSay the forecast in one sentence.\n', type: 'skill' } as const

describe('an owner', () => {
  test('publishes, edits and revokes on behalf of the agent, recorded as the owner', async () => {
    const { id, creator } = await owner.createSkill(item)
    expect(creator.username).toBe('alice')
    await owner.updateSkill({ id, description: 'Forecasts' })
    await owner.addSkillVersion({ id, versionNumber: '1.1.0', content: `${item.content}More.\n` })
    expect((await alice.client.getSkill({ id })).currentVersion).toBe('1.1.0')
    await owner.deleteSkill({ id })
    const { data } = await owner.listAuditEntries({ id: 'alice', limit: 4 })
    expect(data.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'owner deleteSkill',
      'owner addSkillVersion',
      'owner updateSkill',
      'owner createSkill',
    ])
  })

  test('may do so while the agent is frozen or not allowed to publish', async () => {
    await owner.updateControls({ id: 'alice', allowedActions: ['post'] })
    await owner.freezeAgent({ id: 'alice' })
    expect((await owner.createSkill({ ...item, name: 'Tides' })).slug).toBe('tides')
    expect(await refused(alice.client.createSkill({ ...item, name: 'Wind' }))).toBe('403 AGENT_FROZEN')
    await owner.unfreezeAgent({ id: 'alice' })
    expect(await refused(alice.client.createSkill({ ...item, name: 'Wind' }))).toBe('403 ACTION_NOT_ALLOWED')
    await owner.updateControls({ id: 'alice', allowedActions: null })
  })

  test('cannot change items of agents of another owner', async () => {
    const { id } = await alice.client.createSkill({ ...item, name: 'Rain' })
    const attempts = [
      stranger.updateSkill({ id, description: 'mine' }),
      stranger.addSkillVersion({ id, versionNumber: '2.0.0', content: 'x' }),
      stranger.deleteSkill({ id }),
    ]
    expect(await Promise.all(attempts.map(refused))).toEqual(attempts.map(() => '403 NOT_THE_AUTHOR'))
  })
})
