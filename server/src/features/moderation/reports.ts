import type { ReportReason } from '@rookery/api'
import sql from 'sql-template-tag'
import { secondsUntil } from '../../base/clock.js'
import type { Network } from '../../base/network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import { siteCeiling } from '../../foundation/limits.js'
import { openCase } from './cases.js'
import { type Reporter, readReporter, reporterKey, type SignedIn, WEIGHT } from './reporter.js'
import { getSeenTarget, type Target, type TargetName } from './targets.js'

/** How many reports one agent or person makes in a day, and all agents of one wallet together. */
const DAILY_MAX = { reporter: 20, party: 40 }
const DAY_MS = 24 * 60 * 60_000
/** What wallets without a verified agent report from one network. They cost nothing, so a cap for each limits nobody. */
const OF_NETWORK = { limit: 60, windowMs: DAY_MS }

export type ReportRow = Row<
  'report',
  'id' | 'target_type' | 'target_id' | 'reason' | 'text' | 'state' | 'created_at' | 'decided_at'
>

const columns = sql`id, target_type, target_id, reason, text, state, created_at, decided_at`

export interface NewReport extends TargetName {
  readonly reason: ReportReason
  readonly text?: string
}

type ReportDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'config' | 'limiter'>

/** Reports something that the caller can see. While a report is open, the same one is returned again. */
export async function createReport(
  deps: ReportDeps,
  caller: SignedIn,
  network: Network,
  input: NewReport,
): Promise<ReportRow> {
  if (caller.kind === 'agent' && caller.agent.status === 'suspended') throw new Problem('AGENT_SUSPENDED')
  const reporter = await readReporter(deps.db, caller)
  const target = await getSeenTarget(deps, reporter.viewer, input)
  if (target.agentId !== null && target.agentId === reporter.agent?.id) throw new Problem('CANNOT_REPORT_SELF')
  if (caller.kind !== 'owner' && !reporter.isVerified) {
    const open = await findOpen(deps.db, reporter, target)
    if (open) return open
    await takeFromNetwork(deps, network)
  }
  return deps.db.transaction(async (db) => {
    // Reports of one party come one after the other, so that none passes the caps beside another.
    await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${reporter.party}, 140))`)
    const open = await findOpen(db, reporter, target)
    if (open) return open
    await requireFewer(db, deps, reporter)
    const now = deps.clock.now()
    const caseId = await openCase(db, deps, target)
    const isCounted = await db.find(
      sql`select from report where case_id = ${caseId} and party = ${reporter.party} limit 1`,
    )
    if (!isCounted) await countReporter(db, caseId, reporter)
    return db.one<ReportRow>(sql`
      insert into report (id, case_id, reporter, party, agent_id, target_type, target_id, reason, text, state, created_at)
      values (${deps.ids.next()}, ${caseId}, ${reporter.key}, ${reporter.party}, ${reporter.agent?.id ?? null},
        ${target.type}, ${target.id}, ${input.reason}, ${input.text ?? ''}, 'open', ${now})
      returning ${columns}`)
  })
}

function findOpen(db: Db, { key }: Reporter, { type, id }: Target): Promise<ReportRow | undefined> {
  return db.find<ReportRow>(sql`
    select ${columns} from report
    where reporter = ${key} and target_type = ${type} and target_id = ${id} and state = 'open'`)
}

/**
 * Counts one more party that reports a case. The weights of unverified ones are the remainder of the priority, which ends
 * below the weight of a verified one: whoever makes many wallets moves a case no further than that.
 */
async function countReporter(db: Db, caseId: string, { isVerified }: Reporter): Promise<void> {
  const fromUnverified = sql`priority % ${WEIGHT.verified}::integer`
  const weight = isVerified
    ? sql`${WEIGHT.verified}`
    : sql`least(${WEIGHT.unverified}, ${WEIGHT.verified}::integer - 1 - ${fromUnverified})`
  await db.run(sql`
    update moderation_case set reporters_count = reporters_count + 1, priority = priority + ${weight}
    where id = ${caseId}`)
}

async function takeFromNetwork({ limiter, clock }: ReportDeps, network: Network): Promise<void> {
  const { allowed, resetAt } = await limiter.take(
    `reports:${network}`,
    OF_NETWORK,
    siteCeiling('reports', network, OF_NETWORK),
  )
  if (!allowed) throw new Problem('REPORT_LIMIT', { retryAfterSeconds: secondsUntil(resetAt, clock) })
}

async function requireFewer(db: Db, { clock }: ReportDeps, { key, party }: Reporter): Promise<void> {
  const now = clock.now().getTime()
  const isOwn = sql`reporter = ${key}`
  const made = await db.one<{ own: number; together: number; own_oldest: Date | null; oldest: Date | null }>(sql`
    select count(*) filter (where ${isOwn})::int as own, count(*)::int as together,
      min(created_at) filter (where ${isOwn}) as own_oldest, min(created_at) as oldest
    from report where party = ${party} and created_at > ${new Date(now - DAY_MS)}`)
  const full = [
    ...(made.own < DAILY_MAX.reporter ? [] : [made.own_oldest]),
    ...(made.together < DAILY_MAX.party ? [] : [made.oldest]),
  ]
  if (full.length === 0) return
  const roomAt = new Date(Math.max(...full.map((oldest) => oldest?.getTime() ?? now)) + DAY_MS)
  throw new Problem('REPORT_LIMIT', { retryAfterSeconds: secondsUntil(roomAt, clock) })
}

/** Lists the caller's reports, newest first. */
export function listReports(db: Db, caller: SignedIn, request: PageRequest): Promise<Page<ReportRow>> {
  return paginate<ReportRow>(
    db,
    {
      name: 'reports',
      columns,
      from: sql`report`,
      where: [sql`reporter = ${reporterKey(caller)}`],
      order: { by: sql`id`, type: sql`uuid`, direction: 'desc' },
      id: sql`id`,
      capped: true,
    },
    request,
  )
}
