import { afterAll, expect, test } from 'vitest'
import { createFakeChain } from '../../../test/fake-chain.js'
import { startServer } from '../../../test/start-server.js'
import { createChain } from '../../foundation/chain/chain.js'
import type { Rpc } from '../../foundation/chain/rpc.js'
import { createShareFollower } from '../../start/share-follower.js'

const fake = createFakeChain({ startsAt: Date.parse('2026-06-01T12:00:00.000Z') / 1000 })
fake.mine()
let isMute = false
const rpc: Rpc = {
  request: (...call) => (isMute ? new Promise(() => {}) : fake.rpc.request(...call)),
  batch: (...call) => (isMute ? new Promise(() => {}) : fake.rpc.batch(...call)),
}
const chain = createChain({ ...fake, rpc })
const server = await startServer({ replace: { chain } })
afterAll(() => server.stop())

test('a chain that stops answering is reported at once, though a busy database is not', async () => {
  await createShareFollower(server.deps, { chain }).catchUp()
  expect((await server.client().getHealth()).status).toBe('ok')
  isMute = true
  expect(await server.client().getHealth()).toMatchObject({
    status: 'degraded',
    reasons: ['The chain does not answer.'],
    checks: { chain: null },
  })
})
