import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { banWallet, listBans, unbanWallet } from '../../src/features/moderation/ban-wallet.js'
import { suspendAgent } from '../../src/features/moderation/suspend.js'
import { takeDown } from '../../src/features/moderation/take-down.js'
import {
  addModerator,
  isModeratorWallet,
  listModerators,
  removeModerator,
} from '../../src/foundation/callers/moderators.js'
import { cancelJob, countKinds, getJob, listJobs } from '../../src/foundation/jobs/inspect.js'
import { retryFailedJobs } from '../../src/foundation/jobs/retry-failed.js'
import { listInstances, setDraining } from '../../src/foundation/peers/instances.js'
import { findRefusals, getKeptSpan } from '../../src/foundation/refusals/queries.js'
import type { Tour } from './tour.js'

/** What operators do with their commands. */
export async function operate({ market, step, story }: Tour): Promise<void> {
  const { server } = market
  const { deps } = server
  const { db, queue } = deps
  await step('an operator’s jobs', async () => {
    await queue.enqueue(db, 'build_map', {})
    await countKinds(deps)
    const [job] = await listJobs(deps, { kind: 'build_map', state: 'waiting', most: 1 })
    await getJob(deps, job?.id ?? '')
    await retryFailedJobs(deps, { kind: 'build_map', id: job?.id })
    await cancelJob(deps, job?.id ?? '')
  })
  await step('an operator’s moderators', async () => {
    const wallet = `0x${'7'.repeat(40)}`
    await addModerator(db, { wallet, name: 'Mo', now: deps.clock.now() })
    await listModerators(deps)
    await isModeratorWallet(deps, wallet)
    await removeModerator(db, wallet)
  })
  await step('a ban', async () => {
    const { zed } = await server.seed.agents('zed')
    await suspendAgent(deps, 'zed')
    await banWallet(deps, zed.wallet.address, 'Fraud.', zed.id)
    await listBans(db, { all: true })
    await unbanWallet(deps, zed.wallet.address)
  })
  await step('a takedown', async () => {
    await takeDown(deps, story.tweetId, 'hide')
    await takeDown(deps, story.tweetId, 'restore')
  })
  await step('instances', async () => {
    await listInstances(deps)
    const other = randomUUID()
    await db.run(sql`insert into instance (id, seen_at) values (${other}, clock_timestamp())`)
    await setDraining(deps, other, true)
    await setDraining(deps, other, false)
  })
  await step('refused calls', async () => {
    await fetch(`${server.url}/v1/agents/nobody`)
    await deps.refusals.flush()
    await findRefusals(db, 'x')
    await getKeptSpan(db)
  })
}
