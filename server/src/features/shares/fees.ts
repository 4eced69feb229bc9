import type { AgentFees, FeeDay, Fees, PreparedClaim } from '@rookery/api'
import { encodeClaimFees } from '@rookery/contracts'
import sql from 'sql-template-tag'
import { type Address, formatEther } from 'viem'
import { dayOf } from '../../base/clock.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Caller } from '../../foundation/callers/caller.js'
import type { Block } from '../../foundation/chain/newest-block.js'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import { type AgentRow, findAgent, getAgent } from '../agents/queries.js'
import { getOwnedAgent, listOwnedAgents } from '../owners/queries.js'
import type { ClaimEvent } from './decode.js'
import { claimOf } from './event-rows.js'
import { prepareTransaction } from './prepare.js'
import { claimSummary } from './summaries.js'
import { readNewestBlock, readNumber } from './supply.js'

type FeeDeps = Pick<Deps, 'db' | 'clock' | 'chain' | 'log' | 'config' | 'embeddedChain'>
type FeeCaller = Extract<Caller, { kind: 'agent' | 'owner' }>

/** The caller's agents: itself, or those of the owner. With an identifier only that one, if it is the caller's. */
export async function listFeeAgents(db: Db, caller: FeeCaller, identifier: string | undefined): Promise<AgentRow[]> {
  if (caller.kind === 'owner')
    return identifier === undefined
      ? listOwnedAgents(db, caller.owner)
      : [await getOwnedAgent(db, caller.owner, identifier)]
  const agent = await getAgent(db, identifier ?? caller.agent.id, caller.agent)
  if (agent.id !== caller.agent.id) throw new Problem('NOT_THE_OWNER')
  return [agent]
}

/** The same for a list: an unknown agent has no claims. */
export async function filterFeeAgents(db: Db, caller: FeeCaller, identifier: string | undefined): Promise<AgentRow[]> {
  const isUnknown = identifier !== undefined && identifier !== 'me' && !(await findAgent(db, identifier))
  return isUnknown ? [] : listFeeAgents(db, caller, identifier)
}

/** What agents earned: waiting in the contract, collected, and day by day. */
export async function readFees(deps: FeeDeps, agents: readonly AgentRow[], days: number): Promise<Fees> {
  // In this order: a claim between the two reads would otherwise count as waiting and as claimed.
  const claimed = await sumClaims(deps.db, agents)
  const block = deps.chain && (await readNewestBlock(deps))
  const claimable = await Promise.all(agents.map(({ subject }) => readClaimable(deps, block, subject)))
  const amounts = agents.map((agent, index) =>
    amountsOf(agent, claimable[index] ?? 0n, claimed.get(agent.subject) ?? 0n),
  )
  return {
    blockNumber: block?.number ?? null,
    ...amountsView(amounts.reduce(addAmounts, NOTHING)),
    agents: agents.map((agent, index) => agentFeesView(agent, amounts[index] ?? NOTHING)),
    byDay: await listFeeDays(deps, agents, days),
  }
}

async function readClaimable(deps: FeeDeps, block: Block | undefined, subject: Address): Promise<bigint> {
  return block ? readNumber(deps, block, { functionName: 'claimableFees', args: [subject] }) : 0n
}

interface Amounts {
  readonly claimableWei: bigint
  readonly claimedWei: bigint
}

const NOTHING: Amounts = { claimableWei: 0n, claimedWei: 0n }
/** The owner's fee is a twentieth of the price; the contract never rounds. */
const VOLUME_PER_FEE = 20n

/**
 * What is neither waiting nor indexed as claimed was claimed in a block that is not indexed: a newer one, or one from
 * before the service indexed claims.
 */
function amountsOf({ volume_wei }: AgentRow, claimableWei: bigint, indexedWei: bigint): Amounts {
  const missingWei = BigInt(volume_wei) / VOLUME_PER_FEE - claimableWei
  return { claimableWei, claimedWei: missingWei > indexedWei ? missingWei : indexedWei }
}

function addAmounts(a: Amounts, b: Amounts): Amounts {
  return { claimableWei: a.claimableWei + b.claimableWei, claimedWei: a.claimedWei + b.claimedWei }
}

function amountsView({ claimableWei, claimedWei }: Amounts) {
  const earnedWei = claimableWei + claimedWei
  return {
    claimableBNB: formatEther(claimableWei),
    claimableWei: claimableWei.toString(),
    claimedBNB: formatEther(claimedWei),
    claimedWei: claimedWei.toString(),
    earnedBNB: formatEther(earnedWei),
    earnedWei: earnedWei.toString(),
  }
}

function agentFeesView(agent: AgentRow, amounts: Amounts): AgentFees {
  const { id, username, display_name: displayName, avatar_url: avatarUrl } = agent
  return {
    agent: { id, username, displayName, avatarUrl },
    subject: agent.subject,
    walletAddress: agent.wallet_address,
    ...amountsView(amounts),
  }
}

async function sumClaims(db: Db, agents: readonly AgentRow[]): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.many<{ subject: string; sum: string }>(sql`
    select subject, sum(amount_wei)::text as sum from fee_claim
    where subject = any(${agents.map(({ subject }) => subject)}::text[]) group by subject`)
  return new Map(rows.map(({ subject, sum }) => [subject, BigInt(sum)]))
}

const DAY_MS = 24 * 60 * 60_000

/** What was earned on each of the last days, newest first, including days without trades. */
async function listFeeDays({ db, clock }: FeeDeps, agents: readonly AgentRow[], days: number): Promise<FeeDay[]> {
  const today = new Date(`${dayOf(clock.now())}T00:00:00.000Z`)
  const since = new Date(today.getTime() - (days - 1) * DAY_MS)
  const rows = await db.many<{ day: string; earned_wei: string; trades: number }>(sql`
    select (at at time zone 'UTC')::date::text as day, sum(subject_fee_wei)::text as earned_wei, count(*)::int as trades
    from trade where subject = any(${agents.map(({ subject }) => subject)}::text[]) and at >= ${since} group by 1`)
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return Array.from({ length: days }, (_, back) => {
    const date = dayOf(new Date(today.getTime() - back * DAY_MS))
    const { earned_wei = '0', trades = 0 } = byDay.get(date) ?? {}
    return { date, earnedBNB: formatEther(BigInt(earned_wei)), earnedWei: earned_wei, tradesCount: trades }
  })
}

/** Claims of agents' fees, newest first. */
export async function listClaims(db: Db, agents: readonly AgentRow[], request: PageRequest): Promise<Page<ClaimEvent>> {
  const { rows, meta } = await paginate<Row<'fee_claim'>>(
    db,
    {
      name: 'fee_claims',
      columns: sql`fee_claim.*`,
      from: sql`fee_claim`,
      where: [sql`fee_claim.subject = any(${agents.map(({ subject }) => subject)}::text[])`],
      order: { by: sql`fee_claim.position`, type: sql`bigint`, direction: 'desc' },
      id: sql`fee_claim.id`,
      capped: true,
    },
    request,
  )
  return { rows: rows.map(claimOf), meta }
}

/** Prepares the transaction that pays an agent's waiting fees to its wallet. */
export async function prepareClaim(
  deps: FeeDeps,
  agents: readonly AgentRow[],
  walletAddress: string | undefined,
): Promise<PreparedClaim> {
  const [agent, other] = agents
  if (!agent) throw new Problem('AGENT_NOT_FOUND')
  if (other) throw Problem.at('agentId', 'must say which of your agents')
  const { id, subject, wallet_address: receiver } = agent
  const block = await readNewestBlock(deps)
  const [supply, amountWei] = await Promise.all([
    readNumber(deps, block, { functionName: 'sharesSupply', args: [subject] }),
    readClaimable(deps, block, subject),
  ])
  if (supply === 0n) throw new Problem('AGENT_NOT_LAUNCHED')
  if (amountWei === 0n) throw new Problem('NOTHING_TO_CLAIM')
  const from = (walletAddress?.toLowerCase() ?? receiver) as Address
  const draft = { purpose: 'claimFees', from, data: encodeClaimFees({ subject }), value: 0n } as const
  return {
    agentId: id,
    subject,
    receiver,
    amountBNB: formatEther(amountWei),
    amountWei: amountWei.toString(),
    blockNumber: block.number,
    summary: claimSummary(agent, amountWei, receiver),
    ...(await prepareTransaction(deps, block, draft)),
  }
}
