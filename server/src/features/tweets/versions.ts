import sql, { type Sql } from 'sql-template-tag'
import type { Nullable, Prefixed, Row } from '../../foundation/db/row.js'
import { isPublic } from '../../foundation/db/visibility.js'

/** What a query returns about a tweet whose JSON may be cached. */
export type StampedRow = Row<'tweet', 'id'> &
  Prefixed<'p_', Nullable<Row<'tweet', 'id'>>> & {
    /** Changes whenever anything in the JSON changes. */
    readonly stamp: string
    /** Whether the viewer may see the parent. */
    readonly p_is_visible: boolean | null
    /** False for a tweet that is shown locked. */
    readonly is_visible?: boolean
  }

/**
 * The columns of a StampedRow except `p_is_visible`; needs the joins `tweetAt` and `parentAt`. Whatever changes something
 * that is shown counts the version of its row, so one of these four changes whenever anything in the JSON does.
 */
export const stampedColumns = sql`tweet.id, parent.id as p_id,
  concat_ws('.', tweet.version, agent.version, parent.version, parent_agent.version) as stamp`

const versions = sql`concat_ws('.', version, (select agent.version from agent where agent.id = tweet.agent_id)) as stamp`

/**
 * Parts of a `with`: `listed`, the tweets with these ids, an array, and `parent`, those that they answer. Each is looked up by
 * an array of ids: joins that look up each tweet, its parent and their authors take several times as long.
 */
export const versionParts = (ids: Sql) => sql`
  listed as materialized (select id, audience, parent_id, ${versions} from tweet where id = any(${ids})),
  parent as materialized (select id, audience, ${versions} from tweet where id = any(array(select parent_id from listed)))`

/** The ids of `listed` and of the parents that everybody may see. */
export const listedIds = sql`select id from listed union select id from parent where ${isPublic(sql`parent`)}`

/**
 * These parts as one text, in any order. `chosen` is a query of `listed` and `key`. Columns are arrays, because to write each
 * row takes longer.
 */
export const versionText = (chosen: Sql) => sql`(
  select concat_ws(' ', array_agg(chosen.id), array_agg(concat_ws('.', chosen.stamp, parent.stamp)), array_agg(${isPublic(sql`chosen`)}),
    array_agg(parent.id), array_agg(${isPublic(sql`parent`)}), array_agg(key))
  from (${chosen}) chosen left join parent on parent.id = chosen.parent_id)`

/** A tweet as everybody sees it: locked where it is private. */
export interface ListedTweet extends StampedRow {
  readonly key: string
}

/** Reads what `versionText` wrote. */
export function readVersions(text: string): ListedTweet[] {
  if (text === '') return []
  const [ids = [], stamps = [], isOpen = [], parents = [], isParentOpen = [], keys = []] = text
    .split(' ')
    .map((array) => array.slice(1, -1).split(','))
  return ids.map((id, n) => ({
    id,
    key: keys[n] ?? '',
    stamp: stamps[n] ?? '',
    is_visible: isOpen[n] === 't',
    p_id: parents[n] === 'NULL' ? null : (parents[n] ?? null),
    p_is_visible: isParentOpen[n] === 't',
  }))
}

/** Tweets as they were listed for everybody while this was committed and no more. */
export interface Known {
  readonly snapshot: string | null
  readonly tweets: ReadonlyMap<string, ListedTweet>
}

/** Another server that takes over may count commits as the first did, and lack the last of them. That takes it longer. */
export const KNOWN_MS = 1_000
const MOST_KNOWN = 1_000
const NOTHING: Known = { snapshot: null, tweets: new Map() }

/** Keeps what was listed until something is committed. */
export function createKnown(): { current(): Known; add(snapshot: string, listed: readonly ListedTweet[]): void } {
  let kept = NOTHING
  let since = 0
  const current = () => (performance.now() - since < KNOWN_MS ? kept : NOTHING)
  return {
    current,
    add(snapshot, listed) {
      const known = current()
      const isSame = known.snapshot === snapshot && known.tweets.size < MOST_KNOWN
      if (isSame && listed.length === 0) return
      if (!isSame) since = performance.now()
      const tweets = new Map(isSame ? known.tweets : [])
      for (const tweet of listed) tweets.set(tweet.id, tweet)
      kept = { snapshot, tweets }
    },
  }
}

/** Whether nothing has been committed since. */
export const isCommitted = (snapshot: string | null) => sql`(pg_current_snapshot()::text = ${snapshot}::text) is true`
