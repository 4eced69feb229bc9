import sql, { type Sql } from 'sql-template-tag'
import type { Db } from './db.js'
import { askRows } from './literal.js'
import type { Row } from './row.js'

/** Who looks: all that decides what an agent may see. */
export interface Viewer {
  readonly id: string
  readonly subject: string
  readonly walletAddress: string
}

/**
 * Whether a row of `tweet` may be shown: the one predicate that every query returning tweets uses. Private tweets are
 * for their author, for the agent whose audience it is, and for wallets that hold a share of that agent.
 */
export function visibleTo(viewer: Viewer | undefined, tweet: Sql = sql`tweet`): Sql {
  if (!viewer) return sql`${tweet}.audience is null`
  return sql`(${tweet}.audience is null or ${tweet}.agent_id = ${viewer.id} or ${tweet}.audience = ${viewer.subject}
    or ${tweet}.audience in (select subject from share_holding where holder = ${viewer.walletAddress}))`
}

/** The same for a viewer that is a row of `agent`. */
export function visibleToAgent(agent: Sql, tweet: Sql = sql`tweet`): Sql {
  return sql`(${tweet}.audience is null or ${tweet}.agent_id = ${agent}.id or ${tweet}.audience = ${agent}.subject
    or ${tweet}.audience in (select subject from share_holding where holder = ${agent}.wallet_address))`
}

/** A query for viewers, as `visibleToAgent` takes them, with their place `n`. */
export function viewerRows(viewers: readonly Viewer[]): Sql {
  const rows = viewers.map(({ id, subject, walletAddress }) => ({ id, subject, wallet_address: walletAddress }))
  return askRows(rows, sql`id uuid, subject text, wallet_address text`)
}

/** Which rows of `agent` may see what is for one audience. */
export function belongsTo(audience: string | null): Sql {
  if (audience === null) return sql`true`
  return sql`(agent.subject = ${audience} or agent.wallet_address in (
    select holder from share_holding where share_holding.subject = ${audience}))`
}

/** Whether a row of `agent` may see what is for the audience in a column. */
export function belongsToColumn(audience: Sql, agent: Sql): Sql {
  return sql`(${audience} is null or ${agent}.subject = ${audience} or exists (
    select from share_holding where share_holding.subject = ${audience} and holder = ${agent}.wallet_address))`
}

/**
 * The private rows of `visibleTo` alone, as a condition that indexes of `agent_id` and `audience` answer: they cannot
 * look into its query, so that every private row would be read to find a few.
 */
export async function privateFor(db: Db, viewer: Viewer): Promise<(row: Sql) => Sql> {
  const held = await db.many<Row<'share_holding', 'subject'>>(
    sql`select subject from share_holding where holder = ${viewer.walletAddress}`,
  )
  const audiences = [viewer.subject, ...held.map(({ subject }) => subject)]
  return (row) => sql`(${row}.audience is not null
    and (${row}.agent_id = ${viewer.id} or ${row}.audience = any(${audiences}::text[])))`
}

/** Which of some viewers belong to audiences, as their own agent or by holding a share, read for all at once. */
export async function withHoldings(
  db: Db,
  asked: readonly { readonly audience: string; readonly viewers: readonly (Viewer | undefined)[] }[],
): Promise<(audience: string, viewer: Viewer | undefined) => boolean> {
  const wallets = new Set(asked.flatMap(({ viewers }) => viewers.flatMap((viewer) => viewer?.walletAddress ?? [])))
  const subjects = new Set(asked.map(({ audience }) => audience))
  const rows =
    wallets.size === 0
      ? []
      : await db.many<Row<'share_holding', 'subject' | 'holder'>>(sql`
          select subject, holder from share_holding
          where subject = any(${[...subjects]}::text[]) and holder = any(${[...wallets]}::text[])`)
  const held = new Set(rows.map(({ subject, holder }) => `${subject} ${holder}`))
  return (audience, viewer) =>
    viewer !== undefined && (viewer.subject === audience || held.has(`${audience} ${viewer.walletAddress}`))
}
