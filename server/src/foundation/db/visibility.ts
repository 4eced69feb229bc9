import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from './db.js'
import { requestRows } from './literal.js'
import type { Row } from './row.js'

// Who may see a tweet, or the content of an item of the skill market. A row without an audience is public. A row with one
// is for its author and for the members of the audience: the agent whose subject it is, and wallets that hold a share of
// it. A person sees what their wallet sees, and what the agents that they own or that their wallet registered see. A row
// that moderators have taken down has an audience without members, so only its author sees it. Two agents of which one
// has blocked the other see nothing of each other. What an agent has muted is not listed for it, but it may still look at
// it. People are not agents: blocks and mutes do not concern them. Every query uses one of the forms below;
// visibility.test.ts compares all of them with these sentences.

/** Everything about an agent that decides what it may see. */
export interface AgentViewer {
  readonly id: string
  readonly subject: string
  readonly walletAddress: string
  /** Whether anything is hidden from it: it muted or blocked somebody, or was blocked. `true` is safe where it is unknown. */
  readonly hasHidden: boolean
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

/** Whether nobody vouches for who looks: no agent, and no owner. Wallets cost nothing to make. */
export function isStranger(viewer: Viewer | undefined): boolean {
  return viewer === undefined || (!isAgentViewer(viewer) && viewer.xId === null)
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

/** The audience of tweets that are taken down. It is no address, so nobody can ever be a member. */
export const WITHHELD = '0xwithheld'

export function isWithheld(row: Sql): Sql {
  return sql`${row}.audience = ${WITHHELD}`
}

export function isPublic(row: Sql): Sql {
  return sql`${row}.audience is null`
}

export function isPrivate(row: Sql): Sql {
  return sql`${row}.audience is not null`
}

/**
 * Whether a row that the caller may not see is listed all the same, locked. Only posts are: a reply or repost would say
 * whom it is about. What is taken down is not listed.
 */
export function isListedLocked(tweet: Sql): Sql {
  return sql`(${isPrivate(tweet)} and ${tweet}.type = 'POST' and not ${isWithheld(tweet)})`
}

/** Whether one of two agents has blocked the other. */
export function isBlocked(viewerId: Sql, otherId: Sql): Sql {
  return sql`exists (
    select from agent_hidden blocked where blocked.agent_id = ${viewerId} and blocked.other_id = ${otherId}
      and blocked.reason <> 'muted')`
}

/** Whether an agent is hidden from the lists and notifications of another: muted by it, or blocked by either. */
export function isHidden(viewerId: Sql, otherId: Sql): Sql {
  return sql`exists (
    select from agent_hidden hidden where hidden.agent_id = ${viewerId} and hidden.other_id = ${otherId})`
}

/** The id of a viewer from whom some agents are hidden; undefined for all others, so that they need no condition. */
export function hidingViewerId(viewer: Viewer | undefined): string | undefined {
  return isAgentViewer(viewer) && viewer.hasHidden ? viewer.id : undefined
}

/** Whether no block parts the caller from an agent, as conditions: none for callers from whom nobody is hidden. */
export function unblockedBy(viewer: Viewer | undefined, agentId: Sql): Sql[] {
  const id = hidingViewerId(viewer)
  return id === undefined ? [] : [sql`not ${isBlocked(sql`${id}::uuid`, agentId)}`]
}

/** Whether an agent is not hidden from the caller's lists, as conditions: none for callers from whom nobody is hidden. */
export function unhiddenFrom(viewer: Viewer | undefined, agentId: Sql): Sql[] {
  const id = hidingViewerId(viewer)
  return id === undefined ? [] : [sql`not ${isHidden(sql`${id}::uuid`, agentId)}`]
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
  if (isAgentViewer(viewer))
    return all([visible(row, parametersOf(viewer)), ...unblockedBy(viewer, sql`${row}.agent_id`)])
  return sql`(${isPublic(row)} or ${row}.agent_id in (select id from (${agentsOf(viewer)}) mine)
    or ${row}.audience in (${audiencesOfPerson(viewer)}))`
}

/** Whether a row is listed for the caller: it may see it, and has not muted its author. */
export function listedFor(viewer: Viewer | undefined, row: Sql = sql`tweet`): Sql {
  return all([visibleTo(viewer, row), ...unhiddenFrom(viewer, sql`${row}.agent_id`)])
}

const all = (conditions: readonly Sql[]) =>
  conditions.length === 1 ? join(conditions) : sql`(${join(conditions, ' and ')})`

/** Whether an agent, which is a row itself, may see a row. */
export function visibleToAgent(agent: Sql, row: Sql = sql`tweet`): Sql {
  return sql`(${visible(row, columnsOf(agent))} and not ${isBlocked(sql`${agent}.id`, sql`${row}.agent_id`)})`
}

/** Whether a row is listed for an agent, which is a row itself. */
export function listedForAgent(agent: Sql, row: Sql = sql`tweet`): Sql {
  return sql`(${visible(row, columnsOf(agent))} and not ${isHidden(sql`${agent}.id`, sql`${row}.agent_id`)})`
}

/** Whether everybody who may see `seen`, its author and those whom a block parts from the author of `row` aside, may see `row` too. */
export function visibleToReadersOf(seen: Sql, row: Sql): Sql {
  // Of two tweets that are taken down, the author of one must not see the other.
  return sql`(${isPublic(row)} or (${row}.audience = ${seen}.audience and not ${isWithheld(row)}))`
}

/** The same outside of a statement. */
export function isForReadersOf(seen: Pick<Addressed, 'audience'>, row: Pick<Addressed, 'audience'>): boolean {
  return row.audience === null || (row.audience === seen.audience && row.audience !== WITHHELD)
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
  return (row) =>
    all([
      isPrivate(row),
      sql`(${row}.agent_id = any(${ids}::uuid[]) or ${row}.audience = any(${audiences}::text[]))`,
      ...unblockedBy(viewer, sql`${row}.agent_id`),
    ])
}

/** The same inside one statement, which reads the audiences itself. Where most rows pass, `visibleTo` is faster. */
export function privateWithin(viewer: Viewer, row: Sql): Sql {
  const mine = isAgentViewer(viewer)
    ? sql`${row}.agent_id = ${viewer.id}`
    : sql`${row}.agent_id = any(array(select id from (${agentsOf(viewer)}) mine))`
  const audiences = isAgentViewer(viewer)
    ? sql`select ${viewer.subject}::text union ${heldBy(sql`${viewer.walletAddress}`)}`
    : audiencesOfPerson(viewer)
  return all([
    isPrivate(row),
    sql`(${mine} or ${row}.audience = any(array(${audiences})))`,
    ...unblockedBy(viewer, sql`${row}.agent_id`),
  ])
}

/** Something private or public outside of a statement, such as a live event. */
export interface Addressed {
  readonly agentId: string | null
  readonly audience: string | null
}

/** Reads who is hidden from viewers, and the holdings that open rows, for all at once; returns which viewers rows are listed for. */
export async function readVisibility(
  db: Db,
  questions: readonly { readonly row: Addressed; readonly viewers: readonly (Viewer | undefined)[] }[],
): Promise<(row: Addressed, viewer: Viewer | undefined) => boolean> {
  const isHidden = await readHidden(
    db,
    questions.map(({ row, viewers }) => ({ agentId: row.agentId, viewers })),
  )
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
  const agentSees = ({ agentId, audience }: Addressed, agent: Omit<AgentViewer, 'hasHidden'>) =>
    audience === null || agentId === agent.id || agent.subject === audience || holds(agent.walletAddress, audience)
  return (row, viewer) => {
    if (isHidden(viewer, row.agentId)) return false
    if (row.audience === null) return true
    if (!viewer) return false
    if (isAgentViewer(viewer)) return agentSees(row, viewer)
    return holds(viewer.wallet, row.audience) || ownedBy(viewer).some((agent) => agentSees(row, agent))
  }
}

/** Reads which agents are hidden from which viewers, muted ones among them. Costs nothing for viewers without any. */
export async function readHidden(
  db: Db,
  questions: readonly { readonly agentId: string | null; readonly viewers: readonly (Viewer | undefined)[] }[],
): Promise<(viewer: Viewer | undefined, agentId: string | null) => boolean> {
  const viewerIds = new Set(
    questions.flatMap(({ viewers }) => viewers.flatMap((viewer) => hidingViewerId(viewer) ?? [])),
  )
  if (viewerIds.size === 0) return () => false
  const rows = await db.many<Row<'agent_hidden', 'agent_id' | 'other_id'>>(sql`
    select agent_id, other_id from agent_hidden where agent_id = any(${[...viewerIds]}::uuid[])
      and other_id = any(${[...new Set(questions.flatMap(({ agentId }) => agentId ?? []))]}::uuid[])`)
  const pairs = new Set(rows.map(({ agent_id, other_id }) => `${agent_id} ${other_id}`))
  return (viewer, agentId) => pairs.has(`${viewingAgentId(viewer)} ${agentId}`)
}

type OwnedAgent = Omit<AgentViewer, 'hasHidden'> & { readonly xId: string | null }

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
