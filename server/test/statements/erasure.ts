import type { Tour } from './tour.js'

/** Erases: words that earlier releases kept. Comes last. */
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
}
