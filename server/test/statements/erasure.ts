import { erase, findObstacles } from '../../src/features/erasure/erase.js'
import { listErasures, planErasure } from '../../src/features/erasure/erasures.js'
import {
  findAgentToErase,
  findErased,
  findOwnerToErase,
  listAgentsOfOwner,
  listAgentsOfWallet,
  walletToErase,
} from '../../src/features/erasure/find.js'
import type { Tour } from './tour.js'

/** Erases: words that earlier releases kept, then an agent, an owner and a wallet. Comes last. */
export async function eraseThings({ market, step, story }: Tour): Promise<void> {
  const { deps, drain } = market.server
  await step('words of earlier releases', async () => {
    await deps.database.pool.query(
      `insert into audit_entry (id, agent_id, actor, action, outcome, summary, created_at)
       values (gen_random_uuid(), $1, 'agent', 'createTweet', 'done', 'Post: words', now())`,
      [story.ada.id],
    )
    await deps.queue.enqueue(deps.db, 'erase_audited_words', {})
    await drain()
  })
  await step('an agent, an owner and a wallet', async () => {
    const { ada, bob } = story
    const tag = 'tagged-by-ada'
    await ada.client.createSkill({ name: 'Served', content: '# x', type: 'skill', tags: [tag], isActive: true })
    await storedFile(market.server, ada)
    const { client } = await market.server.seed.signIn()
    await client.followAsWallet({ id: ada.id })
    const { zoe } = await market.server.seed.agents('zoe')
    const { id } = await zoe.client.createSkill({
      name: 'Of cleo',
      content: '# x',
      type: 'skill',
      isActive: true,
    })
    await bob.client.downloadSkill({ id })
    const owner = await market.server.seed.login('bob')
    await owner.client.updateControls({ id: bob.id, maxDailyPosts: 9 })
    await listAgentsOfWallet(deps, ada.wallet.address.toLowerCase())
    const all = [
      await findAgentToErase(deps, 'ada'),
      await findOwnerToErase(deps, 'x_bob'),
      walletToErase(bob.wallet.address),
    ]
    for (const sought of all) {
      await findObstacles(deps, sought)
      if (sought.kind === 'owner') await listAgentsOfOwner(deps, sought)
      await planErasure(deps.db, sought)
      await erase(deps, sought)
    }
    await drain()
    market.server.clock.advance(3_600_000)
    await drain()
    for (const erasure of await listErasures(deps.db)) await findErased(deps, erasure)
  })
}

/** A file that is taken down, and one that is not. */
async function storedFile({ deps }: Tour['market']['server'], { id }: { readonly id: string }): Promise<void> {
  const { pool } = deps.database
  for (const [digit, withheld] of [
    ['a', '{}'],
    ['b', null],
  ]) {
    const name = `${digit?.repeat(64)}.png`
    await pool.query(
      `insert into file (name, type, size, started_at, stored_at, withheld) values ($1, 'image', 1, now(), now(), $2)`,
      [name, withheld],
    )
    await pool.query('insert into upload (agent_id, file_name, created_at) values ($1, $2, now())', [id, name])
  }
}
