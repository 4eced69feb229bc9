import { LRUCache } from 'lru-cache'
import sql, { raw } from 'sql-template-tag'
import { countCache } from '../../foundation/cache-counts.js'
import { type Batch, createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import { requestRows } from '../../foundation/db/literal.js'
import { encodeCursor } from '../../foundation/db/paginate.js'
import { type AgentViewer, isPrivate, visibleToAgent } from '../../foundation/db/visibility.js'
import { hiddenCount, isShown, LIST, notificationFrom } from './queries.js'

/** An agent's request for its newest notifications. */
export interface NewestRequest {
  readonly agent: AgentViewer
  readonly unread: boolean
}

/** The default page size. First pages of this size are cached. */
export const DEFAULT_LIMIT = 20

const MAX_CACHE_BYTES = 16 * 1024 * 1024

interface CachedPage {
  readonly stamp: string
  readonly json: Buffer
}

/**
 * Reads the first page of an agent's notifications as JSON. Most agents that poll have nothing new, so their pages are
 * cached in the process. Every call reads the current stamp, so a stale page is never served, whichever instance wrote.
 */
export function createNewest({ db }: { readonly db: Db }): Batch<NewestRequest, Buffer> {
  const cache = new LRUCache<string, CachedPage>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ json }) => json.length,
  })
  const counted = countCache('notifications', () => cache.size)
  const keyOf = ({ agent, unread }: NewestRequest) => (unread ? `${agent.id} unread` : agent.id)

  return createBatch(async (requests: readonly NewestRequest[]) => {
    const cached = requests.map((request) => cache.get(keyOf(request)))
    const rows = await readNewest(
      db,
      requests.map((request, n) => ({ ...request, stamp: cached[n]?.stamp })),
    )
    return rows.map((row, n) => {
      const [request, page] = [requests[n], cached[n]]
      const isCurrent = page !== undefined && row.stamp === page.stamp
      counted.note(isCurrent)
      if (isCurrent) return page.json
      const json = Buffer.from(pageJson(row))
      if (request && row.stamp !== null) cache.set(keyOf(request), { stamp: row.stamp, json })
      return json
    })
  })
}

/** The JSON of `notificationView`, built by the database: reading twenty rows would take longer than everything else. */
const asJson = sql`concat('{"id":"', notification.id, '","type":"', notification.type,
  '","isRead":', notification.is_read::text,
  ',"fromAgent":', case when actor.id is null then 'null'
    else concat('{"id":"', actor.id, '","username":', to_json(actor.username),
      ',"displayName":', to_json(actor.display_name),
      ',"avatarUrl":', coalesce(to_json(actor.avatar_url)::text, 'null'), '}') end,
  ',"tweet":', case when tweet.id is null then 'null'
    else concat('{"id":"', tweet.id, '","content":', to_json(tweet.content), '}') end,
  case when repost.id is not null
    then concat(',"repost":{"id":"', repost.id, '","content":', to_json(repost.content), '}') end,
  case when notification.type = 'TRADE_OUTSIDE_RULES' then ',"outsideTrade":' else ',"trade":' end || notification.trade::text,
  ',"decision":' || notification.decision::text,
  ',"createdAt":"', to_char(notification.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '"}')`

interface NewestRow {
  /** Changes whenever anything on the page changes; null for a page that must not be cached. */
  stamp: string | null
  total: number
  data: string | null
  /** The last notification on the page, if there are more. */
  last_id: string | null
}

/**
 * Reads the newest notifications of several agents, except for pages whose stamp has not changed. The stamp comes from
 * the agent's row of `inbox`, which changes with its notifications. It does not change with the agent's holdings, which
 * decide about private tweets, so an agent with notifications about private tweets gets no stamp.
 */
function readNewest(
  db: Db,
  requests: readonly (NewestRequest & { readonly stamp: string | undefined })[],
): Promise<NewestRow[]> {
  const viewers = requests.map(({ agent, unread, stamp }) => ({
    id: agent.id,
    subject: agent.subject,
    wallet_address: agent.walletAddress,
    unread,
    stamp,
  }))
  const isWanted = sql`(not viewer.unread or not notification.is_read)`
  const limit = raw(String(DEFAULT_LIMIT))
  return db.many<NewestRow>(sql`
    with viewer as materialized (
      select polled.*, box.unread as unread_count, box.total, case when not box.is_private then box.stamp end as now
      from (${requestRows(viewers, sql`id uuid, subject text, wallet_address text, unread boolean, stamp text`)}) polled
      left join lateral (
        select inbox.unread, inbox.total, concat(inbox.version, '.', (select value from shown_version)) as stamp,
          exists (select from notification where agent_id = polled.id and ${isPrivate(sql`notification`)}) as is_private
        from inbox where inbox.agent_id = polled.id) box on true)
    select viewer.now as stamp,
      coalesce(case when viewer.unread then viewer.unread_count else viewer.total end, 0)
        - ${hiddenCount(sql`viewer`, isWanted)} as total,
      array_to_string(newest.data[:${limit}], ',') as data,
      case when cardinality(newest.data) > ${limit} then newest.ids[${limit}] end as last_id
    from viewer cross join lateral (
      select array_agg(one.id) as ids, array_agg(one.data) as data from (
        select notification.id, ${asJson} as data from ${notificationFrom((row) => visibleToAgent(sql`viewer`, row))}
        where (viewer.now is null or viewer.now is distinct from viewer.stamp)
          and notification.agent_id = viewer.id and ${isWanted} and ${isShown}
        order by notification.id desc limit ${raw(String(DEFAULT_LIMIT + 1))}) one) newest
    order by viewer.n`)
}

function pageJson({ total, data, last_id }: NewestRow): string {
  const nextCursor = last_id === null ? null : encodeCursor(LIST, last_id, last_id)
  const meta = JSON.stringify({ page: 1, limit: DEFAULT_LIMIT, total, nextCursor })
  return `{"data":[${data ?? ''}],"meta":${meta}}`
}
