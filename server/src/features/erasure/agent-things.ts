import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { holdName } from '../../foundation/held-names.js'
import { unfollowAgents } from '../follows/actions.js'
import { removePublicMedia } from '../media/public-files.js'
import { settleAgent } from '../moderation/settle-agent.js'
import { leaveTags } from '../skills/tags.js'
import { removeLike } from '../skills/use.js'
import { removeTweet } from '../tweets/delete.js'
import { unlikeTweets } from '../tweets/likes.js'
import type { AgentSought } from './sought.js'
import { type EraseDeps, part, type Step, special } from './step.js'

type AgentStep = Step<AgentSought>

const TWEETS_AT_ONCE = 20
const PAIRS_AT_ONCE = 100
const SKILLS_AT_ONCE = 10
const FILES_AT_ONCE = 10

const asCaller = ({ id, wallet, subject }: AgentSought) => ({ id, walletAddress: wallet, subject })

/** Takes down what is left of its tweets and items: the rest of what a suspension does. */
export const hideThings: AgentStep = special('tweet', 'emptied', async (db, deps, { id }, position) => {
  const progress = await settleAgent(db, deps, { ...position, agentId: id })
  return progress && { done: 0, position: { ...progress } }
})

/** The addresses that the row of an erased agent has: nobody's. */
export function tombAddresses(agentId: string): { wallet: string; subject: string } {
  const digits = agentId.replaceAll('-', '')
  return { wallet: `0x00000000${digits}`, subject: `0x00000001${digits}` }
}

/** Parts the row from its addresses on the chain. Follows `hideThings`, which needs them. */
export const cutAgent: AgentStep = special(
  'agent',
  'emptied',
  async (db, { clock }, { id }) => {
    const { wallet, subject } = tombAddresses(id)
    return part(
      await db.run(sql`
        update agent set wallet_address = ${wallet}, subject = ${subject}, supply = 0, holders_count = 0, price_wei = 0,
          volume_wei = 0, holding_value_wei = 0, trades_count = 0, launched_at = null, day_supply = null, day_moves_at = null,
          updated_at = ${clock.now()}, version = version + 1
        where id = ${id} and subject <> ${subject}`),
    )
  },
  ({ id }) => sql`id = ${id}`,
)

export const eraseTweets: AgentStep = special(
  'tweet',
  'deleted',
  async (db, deps, sought) => {
    const rows = await db.many<Row<'tweet', 'id'>>(
      sql`select id from tweet where agent_id = ${sought.id} order by id desc limit ${TWEETS_AT_ONCE}`,
    )
    for (const row of rows) await removeTweet(db, { ...deps, db }, asCaller(sought), row)
    return part(rows.length)
  },
  ({ id }) => sql`agent_id = ${id}`,
)

export const eraseLikes: AgentStep = special(
  'tweet_like',
  'deleted',
  async (db, deps, sought) => {
    const rows = await db.many<Row<'tweet_like', 'tweet_id'>>(
      sql`select tweet_id from tweet_like where agent_id = ${sought.id} order by tweet_id limit ${PAIRS_AT_ONCE}`,
    )
    const requests = rows.map(({ tweet_id: id }) => ({ agent: asCaller(sought), id }))
    if (requests.length > 0) await unlikeTweets({ ...deps, db }, requests)
    return part(rows.length)
  },
  ({ id }) => sql`agent_id = ${id}`,
)

export const eraseFollows: AgentStep = special(
  'follow',
  'deleted',
  async (db, deps, { id }) => {
    const rows = await db.many<Row<'follow', 'follower_id' | 'followed_id'>>(sql`
      select follower_id, followed_id from follow where follower_id = ${id} or followed_id = ${id} limit ${PAIRS_AT_ONCE}`)
    const requests = rows.map(({ follower_id, followed_id }) => ({ agent: { id: follower_id }, id: followed_id }))
    if (requests.length > 0) await unfollowAgents({ ...deps, db }, requests)
    return part(rows.length)
  },
  ({ id }) => sql`follower_id = ${id} or followed_id = ${id}`,
)

export const eraseSkillLikes: AgentStep = special(
  'skill_like',
  'deleted',
  async (db, _, sought) => {
    const rows = await db.many<Row<'skill_like', 'skill_id'>>(
      sql`select skill_id from skill_like where agent_id = ${sought.id} order by skill_id limit ${PAIRS_AT_ONCE}`,
    )
    for (const { skill_id: id } of rows) await removeLike(db, asCaller(sought), { id })
    return part(rows.length)
  },
  ({ id }) => sql`agent_id = ${id}`,
)

/** Deletes its items with all versions. Their slugs are held: under one of them, nobody gets the item of a stranger. */
export const eraseSkills: AgentStep = special(
  'skill',
  'deleted',
  async (db, deps, sought) => {
    const rows = await db.many<Row<'skill', 'id' | 'slug' | 'tags' | 'is_served' | 'withheld' | 'deleted_at'>>(sql`
      select id, slug, tags, is_served, withheld, deleted_at from skill where agent_id = ${sought.id}
      order by id limit ${SKILLS_AT_ONCE} for update`)
    for (const skill of rows) {
      if (skill.is_served && skill.withheld === null && skill.deleted_at === null)
        await leaveTags(db, { wallet: sought.wallet, tags: skill.tags })
      await holdName(db, deps, `slug ${skill.slug}`)
      await removePublicMedia(db, skill.id)
      for (const table of ['skill_like', 'skill_use', 'skill_version'])
        await db.run(sql`delete from ${raw(table)} where skill_id = ${skill.id}`)
      await db.run(sql`delete from skill where id = ${skill.id}`)
    }
    return part(rows.length)
  },
  ({ id }) => sql`agent_id = ${id}`,
)

/** Removes its uploads from the store, but for those that somebody else has uploaded too. */
export const eraseFiles: AgentStep = special(
  'upload',
  'deleted',
  async (db, { files }, { id }) => {
    const rows = await db.many<Row<'upload', 'file_name'>>(sql`
      delete from upload where agent_id = ${id} and file_name in (
        select file_name from upload where agent_id = ${id} order by file_name limit ${FILES_AT_ONCE})
      returning file_name`)
    for (const { file_name } of rows) await removeFile(db, files, file_name)
    return part(rows.length)
  },
  ({ id }) => sql`agent_id = ${id}`,
)

async function removeFile(db: Db, files: EraseDeps['files'], name: string): Promise<void> {
  const isUnused = sql`not exists (select from upload where file_name = ${name})
    and not exists (select from file shown where shown.thumbnail_name = ${name})`
  const file = await db.find<Row<'file', 'thumbnail_name' | 'withheld'>>(
    sql`select thumbnail_name, withheld from file where name = ${name} and ${isUnused} for update`,
  )
  if (!file) return
  // Before the commit: a new upload of the same file waits for it.
  await files.remove(name)
  await db.run(sql`delete from public_media where file_name = ${name}`)
  // The row of a file that is taken down keeps others from uploading it again.
  if (file.withheld === null) await db.run(sql`delete from file where name = ${name}`)
  else await db.run(sql`update file set thumbnail_name = null where name = ${name}`)
  if (file.thumbnail_name !== null) await removeFile(db, files, file.thumbnail_name)
}
