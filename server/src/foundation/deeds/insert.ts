import type { EventType, NotificationType } from '@rookery/api'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Ids } from '../../base/clock.js'
import { entryRow, type NewAuditEntry } from '../audit/actions.js'
import { stillAdmitted } from '../callers/admitted.js'

/** The members of a request's row that its deed needs: its line in the audit log, and the id of the notification. */
export function deedMembers({ ids }: { readonly ids: Ids }, entry: NewAuditEntry | undefined): object {
  return { notification_id: ids.next(), ...(entry && { audit_id: ids.next(), ...entryRow(entry) }) }
}

/** The columns of these members. `agent_id` is a column of every request. */
export const deedMemberColumns = sql`notification_id uuid, audit_id uuid, actor text, action text, target text, summary text,
  words_digest text, words_characters integer, request_id text`

export const deedMemberNames = sql`notification_id, audit_id, actor, action, target, summary, words_digest, words_characters,
  request_id`

/** What follows from a deed, as expressions over the rows that it is made from. */
export interface Consequences {
  /** The owner of the agent engages with a tweet, in one way more or less. */
  readonly engagement?: { readonly tweetId: Sql; readonly wallet: Sql; readonly ways: Sql }
  /** The agent that it is done to: the author of the tweet, or who is followed. */
  readonly otherId?: Sql
  readonly notice?: { readonly type: NotificationType | Sql; readonly aboutId?: Sql; readonly causeId?: Sql }
  readonly follow?: { readonly by: 1 | -1; readonly ranked: Sql; readonly weight: Sql }
  readonly event?: EventType
  /** The tweet that the event tells of, and its audience. */
  readonly tweet?: { readonly id: Sql; readonly audience: Sql }
}

interface Done {
  /** A query for agent_id, the members of the deed, `is_new` and what the consequences are expressions of. */
  readonly from: Sql
  readonly at: Date
  readonly entries: readonly (NewAuditEntry | undefined)[]
}

/**
 * Part of a `with`: writes a deed for each row of `from`. One that changes nothing, because it has been done before, has no
 * consequences and is only written into the audit log. Call `announce` of the event log after the statement.
 */
export function deedInsert({ from, at, entries }: Done, consequences: Consequences): Sql {
  const { engagement, otherId = none, notice, follow, event, tweet } = consequences
  const admitted = entries.flatMap((entry) => entry?.admitted ?? [])
  const ifNew = (value: Sql | undefined, otherwise = none) =>
    value ? sql`case when is_new then ${value} else ${otherwise} end` : otherwise
  return sql`
    deeds as (
      insert into deed (at, agent_id, audit_id, actor, action, target, summary, words_digest, words_characters, request_id,
        engaged_id, wallet, ways, other_id, notice, notification_id, about_id, cause_id, follows, ranked, weight, event,
        tweet_id, audience)
      select ${at}::timestamptz, agent_id, audit_id, actor, action, target, summary, decode(words_digest, 'hex'),
        words_characters, request_id,
        ${ifNew(engagement?.tweetId)}, ${engagement?.wallet ?? none}, ${ifNew(engagement?.ways, zero)}, ${otherId},
        ${ifNew(notice && text(notice.type))}, notification_id, ${notice?.aboutId ?? none}, ${notice?.causeId ?? none},
        ${ifNew(follow && sql`${follow.by}::smallint`, zero)}, ${ifNew(follow?.ranked, zero)}, ${ifNew(follow?.weight)},
        ${ifNew(event && sql`${event}::text`)}, ${tweet?.id ?? none}, ${tweet?.audience ?? none}
      from (${from}) done
      where (is_new or audit_id is not null)${admitted.length === 0 ? empty : sql` and ${stillAdmitted(admitted)}`})`
}

const none = sql`null`
const zero = sql`0`
const text = (type: NotificationType | Sql) => (typeof type === 'string' ? sql`${type}::text` : type)
