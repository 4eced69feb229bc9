import sql, { type Sql } from 'sql-template-tag'
import type { Db } from './db.js'
import { requestRows } from './literal.js'
import type { Row } from './row.js'

// Who may see a tweet, or the content of an item of the skill market. A row without an audience is public. A row with one
// is for its author and for the members of the audience: the agent whose subject it is, and wallets that hold a share of
// it. A person sees what their wallet sees, and what the agents that they own or that their wallet registered see. Every
// query uses one of the forms below; visibility.test.ts compares all of them with these sentences.

/** Everything about an agent that decides what it may see. */
export interface AgentViewer {
  readonly id: string
  readonly subject: string
  readonly walletAddress: string
}

/** Everything about a person with a session that decides what they may see. */
export interface Person {
  readonly sessionId: string
  /** The social account of an owner. */
  readonly xId: string | null
  /** The wallet that signed in. */
  readonly wallet: `0x${string}` | null
}

export type Viewer = AgentViewer | Person

export function isAgentViewer<V extends AgentViewer>(viewer: V | Person | undefined): viewer is V {
  return viewer !== undefined && 'subject' in viewer
}

/** The id of the agent that looks; undefined for people. */
export function viewingAgentId(viewer: Viewer | undefined): string | undefined {
  return isAgentViewer(viewer) ? viewer.id : undefined
}

/** Distinguishes viewers in the keys of caches. */
export function viewerKey(viewer: Viewer | undefined): string | undefined {
  if (viewer === undefined || isAgentViewer(viewer)) return viewer?.id
  return `session ${viewer.sessionId}`
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

const parametersOf = ({ id, subject, walletAddress }: AgentViewer): ViewerColumns => ({
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

/**
 * Whether a row that the caller may not see is listed all the same, locked. Only posts are: a reply or repost would say
 * whom it is about.
 */
export function isListedLocked(tweet: Sql): Sql {
  return sql`(${isPrivate(tweet)} and ${tweet}.type = 'POST')`
}

function visible(row: Sql, { id, subject, wallet }: ViewerColumns): Sql {
  return sql`(${isPublic(row)} or ${row}.agent_id = ${id} or ${row}.audience = ${subject}
    or ${row}.audience in (${heldBy(wallet)}))`
}

/** The agents behind a person. */
const agentsOf = ({ xId, wallet }: Person) =>
  sql`select id, subject, wallet_address from agent where x_id = ${xId} or wallet_address = ${wallet}`

/** The audiences that a person is a member of. */
const audiencesOfPerson = (person: Person) => sql`
  select subject from (${agentsOf(person)}) mine
  union select subject from share_holding where holder = ${person.wallet}
    or holder in (select wallet_address from (${agentsOf(person)}) mine)`

/** Whether the caller may see a row; without a viewer, whether everybody may. */
export function visibleTo(viewer: Viewer | undefined, row: Sql = sql`tweet`): Sql {
  if (!viewer) return isPublic(row)
  if (isAgentViewer(viewer)) return visible(row, parametersOf(viewer))
  return sql`(${isPublic(row)} or ${row}.agent_id in (select id from (${agentsOf(viewer)}) mine)
    or ${row}.audience in (${audiencesOfPerson(viewer)}))`
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
export function viewerRows(viewers: readonly AgentViewer[]): Sql {
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
  const agents = isAgentViewer(viewer) ? [viewer] : await findAgentsOf(db, [viewer])
  const wallets = [...agents.map(({ walletAddress }) => walletAddress), ...walletsOf([viewer])]
  const held = await db.many<Row<'share_holding', 'subject'>>(
    sql`select distinct subject from share_holding where holder = any(${wallets}::text[])`,
  )
  const audiences = [...agents, ...held].map(({ subject }) => subject)
  const ids = agents.map(({ id }) => id)
  return (row) => sql`(${isPrivate(row)}
    and (${row}.agent_id = any(${ids}::uuid[]) or ${row}.audience = any(${audiences}::text[])))`
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
  const viewers = [...new Set(closed.flatMap(({ viewers }) => viewers.flatMap((viewer) => viewer ?? [])))]
  const people = viewers.flatMap((viewer) => (isAgentViewer(viewer) ? [] : [viewer]))
  const owned = people.length === 0 ? [] : await findAgentsOf(db, people)
  const ownedBy = indexByOwner(owned)
  const agents = [...viewers.flatMap((viewer) => (isAgentViewer(viewer) ? [viewer] : [])), ...owned]
  const wallets = [...new Set([...agents.map(({ walletAddress }) => walletAddress), ...walletsOf(people)])]
  const rows =
    wallets.length === 0
      ? []
      : await db.many<Row<'share_holding', 'subject' | 'holder'>>(sql`
          select subject, holder from share_holding
          where subject = any(${[...subjects]}::text[]) and holder = any(${wallets}::text[])`)
  const held = new Set(rows.map(({ subject, holder }) => `${subject} ${holder}`))
  const holds = (wallet: string | null, audience: string) => held.has(`${audience} ${wallet}`)
  const agentSees = ({ agentId, audience }: Addressed, agent: AgentViewer) =>
    audience === null || agentId === agent.id || agent.subject === audience || holds(agent.walletAddress, audience)
  return (row, viewer) => {
    if (row.audience === null) return true
    if (!viewer) return false
    if (isAgentViewer(viewer)) return agentSees(row, viewer)
    return holds(viewer.wallet, row.audience) || ownedBy(viewer).some((agent) => agentSees(row, agent))
  }
}

type OwnedAgent = AgentViewer & { readonly xId: string | null }

/** Returns a lookup for the agents of a person. Many people may be asked about. */
function indexByOwner(agents: readonly OwnedAgent[]): (person: Person) => readonly OwnedAgent[] {
  const byOwner = new Map<string, OwnedAgent[]>()
  for (const agent of agents)
    for (const key of [`x ${agent.xId}`, `wallet ${agent.walletAddress}`])
      byOwner.set(key, [...(byOwner.get(key) ?? []), agent])
  return ({ xId, wallet }) => [
    ...(xId === null ? [] : (byOwner.get(`x ${xId}`) ?? [])),
    ...(wallet === null ? [] : (byOwner.get(`wallet ${wallet}`) ?? [])),
  ]
}

async function findAgentsOf(db: Db, people: readonly Person[]): Promise<OwnedAgent[]> {
  const rows = await db.many<Row<'agent', 'id' | 'subject' | 'wallet_address' | 'x_id'>>(sql`
    select id, subject, wallet_address, x_id from agent
    where x_id = any(${people.map(({ xId }) => xId)}::text[]) or wallet_address = any(${walletsOf(people)}::text[])`)
  return rows.map((row) => ({ id: row.id, subject: row.subject, walletAddress: row.wallet_address, xId: row.x_id }))
}

const walletsOf = (viewers: readonly Viewer[]) =>
  viewers.flatMap((viewer) => (isAgentViewer(viewer) ? [] : (viewer.wallet ?? [])))
