import sql, { type Sql } from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Nullable, Prefixed, Row } from '../../foundation/db/row.js'
import { type Person, visibleTo } from '../../foundation/db/visibility.js'

const KEPT_MS = 30 * 24 * 60 * 60_000

export type AlertRow = Row<'wallet_alert', 'id' | 'type' | 'is_read' | 'percent' | 'price_wei' | 'at'> &
  Prefixed<'agent_', Row<'agent', 'id' | 'username' | 'display_name' | 'avatar_url'>> &
  Prefixed<'tweet_', Nullable<Row<'tweet', 'id' | 'content'>>> & {
    readonly tweet_author: string | null
    /** The tweets of it that the wallet may read. */
    readonly count: number
  }

const columns = sql`wallet_alert.id, wallet_alert.type, wallet_alert.is_read, wallet_alert.percent, wallet_alert.price_wei,
  wallet_alert.at, agent.id as agent_id, agent.username as agent_username, agent.display_name as agent_display_name,
  agent.avatar_url as agent_avatar_url, shown.id as tweet_id, shown.content as tweet_content, shown.author as tweet_author,
  coalesce(shown.count, 0) as count`

// Asked anew each time: who has sold its share since is not told any longer.
const alertFrom = (person: Person) => sql`wallet_alert join agent on agent.id = wallet_alert.agent_id
  left join lateral (
    select tweet.id, tweet.content, author.username as author, (count(*) over ())::int as count
    from tweet join agent author on author.id = tweet.agent_id
    where tweet.id = any(wallet_alert.tweet_ids) and ${visibleTo(person)}
    order by tweet.id desc limit 1) shown on true`

const isOf = (wallet: string) => sql`wallet_alert.wallet = ${wallet}`
const isShown = sql`(wallet_alert.type = 'PRICE_MOVE' or shown.id is not null)`

/** Newest first. */
export function listAlerts(
  db: Db,
  person: Person,
  wallet: string,
  { unread, ...request }: PageRequest & { readonly unread?: boolean },
): Promise<Page<AlertRow>> {
  const isAsked: Sql[] =
    unread === undefined ? [] : [unread ? sql`not wallet_alert.is_read` : sql`wallet_alert.is_read`]
  return paginate<AlertRow>(
    db,
    {
      name: 'alerts',
      columns,
      from: alertFrom(person),
      where: [isOf(wallet), isShown, ...isAsked],
      order: { by: sql`wallet_alert.at`, type: sql`timestamptz`, direction: 'desc' },
      id: sql`wallet_alert.id`,
    },
    request,
  )
}

export function findAlert(db: Db, person: Person, id: string): Promise<AlertRow | undefined> {
  return db.find<AlertRow>(sql`
    select ${columns} from ${alertFrom(person)}
    where wallet_alert.id = ${id} and ${isOf(person.wallet ?? '')} and ${isShown}`)
}

export async function countUnreadAlerts(db: Db, person: Person, wallet: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from ${alertFrom(person)}
    where ${isOf(wallet)} and not wallet_alert.is_read and ${isShown}`)
  return count
}

/** Marks the named alerts read, or all; returns how many were unread. */
export function markAlertsRead(db: Db, wallet: string, ids: readonly string[] | undefined): Promise<number> {
  const isNamed = ids === undefined ? sql`true` : sql`id = any(${ids}::uuid[])`
  // A transaction, because that is repeated when it and new alerts wait for each other.
  return db.transaction((db) =>
    db.run(sql`update wallet_alert set is_read = true where ${isOf(wallet)} and not is_read and ${isNamed}`),
  )
}

export function deleteOldAlerts({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return db.run(sql`delete from wallet_alert where at <= ${new Date(clock.now().getTime() - KEPT_MS)}`)
}
