import { expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import { startServer, startServerOn } from '../../../test/start-server.js'

test('with several instances, a freeze applies to all of them once it returns, and they share approvals', async () => {
  const server = await startServer()
  const { DATABASE_URL = '', DATA_DIR, SERVER_SECRET = '' } = server.config
  const other = await startServerOn({ DATABASE_URL, DATA_DIR, SERVER_SECRET })
  try {
    const { alice } = await server.seed.agents('alice')
    const { client: owner } = await server.seed.login('alice')
    const there = other.client({ apiKey: alice.apiKey })
    await there.getMe()
    await owner.freezeAgent({ id: 'alice' })
    expect(await refused(there.createTweet({ content: 'x' }))).toBe('403 AGENT_FROZEN')
    await owner.unfreezeAgent({ id: 'alice' })
    await owner.updateControls({ id: 'alice', approvePostsAfter: 0 })
    const waiting = await there.createTweet({ content: 'from over there' })
    await owner.decideApproval({ id: 'alice', approvalId: waiting.id, decision: 'approve' })
    const { data } = await server.client().listTweets({ mode: 'new', username: 'alice' })
    expect(data[0]?.content).toBe('from over there')
  } finally {
    await other.stop()
    await server.stop()
  }
})
