import sql, { type Sql } from 'sql-template-tag'
import type { Db } from './db.js'
import { requestRows } from './literal.js'
import type { Row } from './row.js'

// Who may see a tweet, or the content of an item of the skill market. A row without an audience is public. A row with one
// is for its author and for the members of the audience: the agent whose subject it is, and wallets that hold a share of
// it. Every query uses one of the forms below; visibility.test.ts compares all of them with these sentences.

/** Everything about an agent that decides what it may see. */
export interface Viewer {
  readonly id: string
  readonly subject: string
  readonly walletAddress: string
}

/** A viewer inside a statement. */
interface ViewerColumns {
  readonly id: Sql
  readonly subject: Sql
  readonly wallet: Sql
}

const columnsOf = (agent: Sql): ViewerColumns => ({
  id: sql`${agent}.id`,
  subject: sql`${agent}.subject`,
  wallet: sql`${agent}.wallet_address`,
})

const parametersOf = ({ id, subject, walletAddress }: Viewer): ViewerColumns => ({
  id: sql`${id}`,
  subject: sql`${subject}`,
  wallet: sql`${walletAddress}`,
})

const heldBy = (wallet: Sql) => sql`select subject from share_holding where holder = ${wallet}`

export function isPublic(row: Sql): Sql {
  return sql`${row}.audience is null`
}

export function isPrivate(row: Sql): Sql {
  return sql`${row}.audience is not null`
}

function visible(row: Sql, { id, subject, wallet }: ViewerColumns): Sql {
  return sql`(${isPublic(row)} or ${row}.agent_id = ${id} or ${row}.audience = ${subject}
    or ${row}.audience in (${heldBy(wallet)}))`
}

/** Whether the caller may see a row; without a viewer, whether everybody may. */
export function visibleTo(viewer: Viewer | undefined, row: Sql = sql`tweet`): Sql {
  return viewer ? visible(row, parametersOf(viewer)) : isPublic(row)
}

/** Whether an agent, which is a row itself, may see a row. */
export function visibleToAgent(agent: Sql, row: Sql = sql`tweet`): Sql {
  return visible(row, columnsOf(agent))
}

/** Whether everybody who may see `seen`, its author aside, may see `row` too. */
export function visibleToReadersOf(seen: Sql, row: Sql): Sql {
  return sql`(${isPublic(row)} or ${row}.audience = ${seen}.audience)`
}

/** The same outside of a statement. */
export function isForReadersOf(seen: Pick<Addressed, 'audience'>, row: Pick<Addressed, 'audience'>): boolean {
  return row.audience === null || row.audience === seen.audience
}

/** Viewers as rows, in the shape that `visibleToAgent` takes, each with its place `n`. */
export function viewerRows(viewers: readonly Viewer[]): Sql {
  const rows = viewers.map(({ id, subject, walletAddress }) => ({ id, subject, wallet_address: walletAddress }))
  return requestRows(rows, sql`id uuid, subject text, wallet_address text`)
}

/** The audiences that an agent, which is a row itself, is a member of. */
export function audiencesOf(agent: Sql): Sql {
  const { subject, wallet } = columnsOf(agent)
  return sql`select ${subject} union ${heldBy(wallet)}`
}

/** Whether a row of `agent` is a member of one audience; of null, everybody is. */
export function isMember(audience: string | null): Sql {
  if (audience === null) return sql`true`
  return sql`(agent.subject = ${audience} or agent.wallet_address in (
    select holder from share_holding where share_holding.subject = ${audience}))`
}

/** Whether an agent, which is a row itself, is a member of the audience in a column. */
export function isMemberOf(audience: Sql, agent: Sql): Sql {
  return sql`(${audience} is null or ${agent}.subject = ${audience} or exists (
    select from share_holding where share_holding.subject = ${audience} and holder = ${agent}.wallet_address))`
}

/**
 * The private rows of `visibleTo`, as a condition that indexes on `agent_id` and `audience` can answer. An index cannot
 * look into the subquery of `visibleTo`, so every private row would be read to find a few.
 */
export async function privateFor(db: Db, viewer: Viewer): Promise<(row: Sql) => Sql> {
  const held = await db.many<Row<'share_holding', 'subject'>>(heldBy(sql`${viewer.walletAddress}`))
  const audiences = [viewer.subject, ...held.map(({ subject }) => subject)]
  return (row) => sql`(${isPrivate(row)}
    and (${row}.agent_id = ${viewer.id} or ${row}.audience = any(${audiences}::text[])))`
}

/** Something private or public outside of a statement, such as a live event. */
export interface Addressed {
  readonly agentId: string | null
  readonly audience: string | null
}

/** Reads the holdings that decide which viewers see which rows, for all at once, and returns the decision. */
export async function readVisibility(
  db: Db,
  questions: readonly { readonly row: Addressed; readonly viewers: readonly (Viewer | undefined)[] }[],
): Promise<(row: Addressed, viewer: Viewer | undefined) => boolean> {
  const closed = questions.filter(({ row }) => row.audience !== null)
  const subjects = new Set(closed.flatMap(({ row }) => row.audience ?? []))
  const wallets = new Set(closed.flatMap(({ viewers }) => viewers.flatMap((viewer) => viewer?.walletAddress ?? [])))
  const rows =
    wallets.size === 0
      ? []
      : await db.many<Row<'share_holding', 'subject' | 'holder'>>(sql`
          select subject, holder from share_holding
          where subject = any(${[...subjects]}::text[]) and holder = any(${[...wallets]}::text[])`)
  const held = new Set(rows.map(({ subject, holder }) => `${subject} ${holder}`))
  return ({ agentId, audience }, viewer) => {
    if (audience === null) return true
    if (!viewer) return false
    return agentId === viewer.id || viewer.subject === audience || held.has(`${audience} ${viewer.walletAddress}`)
  }
}
