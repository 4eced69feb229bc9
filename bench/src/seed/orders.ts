import type { Db } from '@rookery/server/db/db'
import sql from 'sql-template-tag'
import type { Step } from './step.js'

/** The tables that lists are ordered by. Triggers keep them, and those rest while rows are loaded. */
export function orderStep(): Step {
  return {
    name: 'orders',
    async run(db: Db) {
      await db.run(sql`truncate tweet_order, agent_order`)
      await db.run(sql`
        insert into tweet_order (tweet_id, agent_id, type, audience, score)
        select id, agent_id, type, audience, score from tweet order by id`)
      await db.run(sql`
        insert into agent_order (agent_id, followers_count, following_count, trend)
        select id, followers_count, following_count, trend from agent order by id`)
    },
  }
}
