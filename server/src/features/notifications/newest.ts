import { LRUCache } from 'lru-cache'
import sql, { raw } from 'sql-template-tag'
import { type Batch, createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import { askRows } from '../../foundation/db/literal.js'
import { encodeCursor } from '../../foundation/db/paginate.js'
import { isPrivate, type Viewer, visibleToAgent } from '../../foundation/db/visibility.js'
import { fromWhere, isShown, LIST } from './queries.js'

/** A question for the newest notifications of an agent. */
export interface NewestAsk {
  readonly agent: Viewer
  readonly unread: boolean
}

/** How many notifications a page has unless its reader says otherwise: first pages of that size are kept. */
export const USUAL_LIMIT = 20

const MOST_KEPT_BYTES = 16 * 1024 * 1024

interface KeptPage {
  readonly stamp: string
  readonly json: Buffer
}

/**
 * The first page of an agent's notifications, as JSON. Most agents that ask have got nothing new: their page is kept in the
 * process. It counts only with the stamp that is read each time, so nothing old is ever shown, whichever instance wrote.
 */
export function createNewest({ db }: { readonly db: Db }): Batch<NewestAsk, Buffer> {
  const kept = new LRUCache<string, KeptPage>({ maxSize: MOST_KEPT_BYTES, sizeCalculation: ({ json }) => json.length })
  const nameOf = ({ agent, unread }: NewestAsk) => (unread ? `${agent.id} unread` : agent.id)

  return createBatch(async (asks: readonly NewestAsk[]) => {
    const known = asks.map((ask) => kept.get(nameOf(ask)))
    const rows = await readNewest(
      db,
      asks.map((ask, n) => ({ ...ask, stamp: known[n]?.stamp })),
    )
    return rows.map((row, n) => {
      const [ask, page] = [asks[n], known[n]]
      if (page && row.stamp === page.stamp) return page.json
      const json = Buffer.from(pageOf(row))
      if (ask && row.stamp !== null) kept.set(nameOf(ask), { stamp: row.stamp, json })
      return json
    })
  })
}

/** What `notificationView` makes of a row, made by the database: to read twenty rows would take longer than all else. */
const asJson = sql`concat('{"id":"', notification.id, '","type":"', notification.type,
  '","isRead":', notification.is_read::text,
  ',"fromAgent":{"id":"', actor.id, '","username":', to_json(actor.username),
  ',"displayName":', to_json(actor.display_name),
  ',"avatarUrl":', coalesce(to_json(actor.avatar_url)::text, 'null'),
  '},"tweet":', case when tweet.id is null then 'null'
    else concat('{"id":"', tweet.id, '","content":', to_json(tweet.content), '}') end,
  ',"createdAt":"', to_char(notification.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '"}')`

interface NewestRow {
  /** Differs as soon as anything on the page does; null for a page that must not be kept. */
  stamp: string | null
  total: number
  data: string | null
  /** The last one shown, when there are more. */
  last_id: string | null
}

/**
 * The newest notifications of several agents. Of a page whose stamp is still the given one, nothing more is read. Every
 * change of an agent's notifications changes the row of its inbox. What it may see of private tweets changes with what it
 * holds, so a page is not kept for an agent with notifications about such.
 */
function readNewest(
  db: Db,
  asks: readonly (NewestAsk & { readonly stamp: string | undefined })[],
): Promise<NewestRow[]> {
  const viewers = asks.map(({ agent, unread, stamp }) => ({
    id: agent.id,
    subject: agent.subject,
    wallet_address: agent.walletAddress,
    unread,
    stamp,
  }))
  const isChosen = sql`notification.agent_id = viewer.id and (not viewer.unread or not notification.is_read)`
  // Counted but not shown: what is about a tweet that the agent cannot see any more.
  const hidden = sql`
    select count(*)::integer from notification left join tweet on tweet.id = notification.tweet_id
    where ${isChosen} and ${isPrivate(sql`notification`)} and ${visibleToAgent(sql`viewer`)} is not true`
  const most = raw(String(USUAL_LIMIT))
  return db.many<NewestRow>(sql`
    with viewer as materialized (
      select it.*, box.unread as unread_count, box.total, case when not box.is_private then box.stamp end as now
      from (${askRows(viewers, sql`id uuid, subject text, wallet_address text, unread boolean, stamp text`)}) it
      left join lateral (
        select inbox.unread, inbox.total, concat(inbox.xmin, '.', (select value from shown_version)) as stamp,
          exists (select from notification where agent_id = it.id and ${isPrivate(sql`notification`)}) as is_private
        from inbox where inbox.agent_id = it.id) box on true)
    select viewer.now as stamp,
      coalesce(case when viewer.unread then viewer.unread_count else viewer.total end, 0) - (${hidden}) as total,
      array_to_string(newest.data[:${most}], ',') as data,
      case when cardinality(newest.data) > ${most} then newest.ids[${most}] end as last_id
    from viewer cross join lateral (
      select array_agg(one.id) as ids, array_agg(one.data) as data from (
        select notification.id, ${asJson} as data from ${fromWhere(visibleToAgent(sql`viewer`))}
        where (viewer.now is null or viewer.now is distinct from viewer.stamp) and ${isChosen} and ${isShown}
        order by notification.id desc limit ${raw(String(USUAL_LIMIT + 1))}) one) newest
    order by viewer.n`)
}

function pageOf({ total, data, last_id }: NewestRow): string {
  const nextCursor = last_id === null ? null : encodeCursor(LIST, last_id, last_id)
  const meta = JSON.stringify({ page: 1, limit: USUAL_LIMIT, total, nextCursor })
  return `{"data":[${data ?? ''}],"meta":${meta}}`
}
