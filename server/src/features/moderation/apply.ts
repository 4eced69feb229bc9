import type { DecisionType, Label, Withheld } from '@rookery/api'
import sql, { empty, raw } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { enqueueTwice } from '../../foundation/jobs/enqueue-twice.js'
import { setSuspended } from '../agents/suspend.js'
import { settleFile } from '../media/settle-file.js'
import { restoreFile, withholdFile } from '../media/withhold.js'
import { restoreSkill, withholdSkill } from '../skills/withhold.js'
import { lockTweets, restoreTweets, withholdTweets } from '../tweets/withhold.js'
import { settleAgent } from './settle-agent.js'
import { findStates, type Target } from './targets.js'

export type ApplyDeps = Pick<Deps, 'clock' | 'events' | 'queue' | 'config'>

/** A decision that can be carried out. */
export interface Order {
  readonly decision: DecisionType
  readonly label?: Label | undefined
  readonly until?: string | undefined
}

const FOR_TARGETS: Readonly<Record<Exclude<DecisionType, 'dismiss'>, readonly Target['type'][]>> = {
  label: ['tweet', 'agent', 'skill'],
  unlabel: ['tweet', 'agent', 'skill'],
  hide: ['tweet', 'skill', 'file'],
  restore: ['tweet', 'skill', 'file'],
  suspend: ['agent'],
  unsuspend: ['agent'],
}

/** What undoes a decision. */
export const UNDOES = { label: 'unlabel', hide: 'restore', suspend: 'unsuspend' } as const

/** Whether a decision takes something from somebody, so that it can be appealed and end by itself. */
export function isRestricting(decision: DecisionType): decision is keyof typeof UNDOES {
  return decision in UNDOES
}

/** Refuses what makes no sense, naming the field. */
export function requireSense({ decision, label, until }: Order, type: Target['type'], now: Date): void {
  if (decision !== 'dismiss' && !FOR_TARGETS[decision].includes(type))
    throw Problem.at('decision', `must be for ${FOR_TARGETS[decision].join(', ')}: ${decision} is not for a ${type}`)
  const isAboutLabel = decision === 'label' || decision === 'unlabel'
  if (isAboutLabel && label === undefined) throw Problem.at('label', `is required for ${decision}`)
  if (!isAboutLabel && label !== undefined) throw Problem.at('label', `must not be there for ${decision}`)
  if (until === undefined) return
  if (!isRestricting(decision)) throw Problem.at('until', `must not be there for ${decision}`)
  if (new Date(until) <= now) throw Problem.at('until', 'must be in the future')
}

/** Carries a decision out. What is already so is refused. The target is locked until the end of the transaction. */
export async function applyOrder(db: Db, deps: ApplyDeps, target: Target, order: Order, why: Withheld): Promise<void> {
  const { type, id } = target
  if (type === 'tweet') await lockTweets(db, [id])
  else await db.run(sql`select from ${raw(TABLES[type].name)} where ${raw(TABLES[type].key)} = ${id} for update`)
  const { labels, isHidden } = (await findStates(db, [{ target_type: type, target_id: id }]))(type, id)
  const { decision, label } = order
  if (decision === 'dismiss') return
  const isSo = label ? labels.includes(label) : isHidden
  if (isSo === isRestricting(decision)) throw new Problem('ALREADY_DECIDED')
  if (label)
    return setLabels(db, target, decision === 'label' ? [...labels, label] : labels.filter((it) => it !== label))
  if (type === 'agent') {
    await setSuspended(db, deps, id, decision === 'suspend')
    await settleAgent(db, deps, { agentId: id })
    await enqueueTwice(db, deps, 'settle_agent', { agentId: id })
  } else if (decision === 'hide') await hide(db, deps, target, why)
  else await restore(db, deps, target)
}

const TABLES = {
  tweet: { name: 'tweet', key: 'id' },
  agent: { name: 'agent', key: 'id' },
  skill: { name: 'skill', key: 'id' },
  file: { name: 'file', key: 'name' },
} as const

async function setLabels(db: Db, { type, id }: Target, labels: readonly Label[]): Promise<void> {
  // What is kept of tweets and agents is compared with the versions of their rows.
  const counted = type === 'tweet' || type === 'agent' ? sql`, version = version + 1` : empty
  await db.run(
    sql`update ${raw(TABLES[type].name)} set labels = ${[...labels].sort()}::text[]${counted} where id = ${id}`,
  )
}

async function hide(db: Db, deps: ApplyDeps, { type, id }: Target, why: Withheld): Promise<void> {
  if (type === 'tweet') await withholdTweets(db, deps, [id], 'decision', why)
  if (type === 'skill') await withholdSkill(db, id, 'decision', why)
  if (type === 'file') {
    await withholdFile(db, id, why)
    await followFile(db, deps, id)
  }
}

async function restore(db: Db, deps: ApplyDeps, { type, id }: Target): Promise<void> {
  if (type === 'tweet') await restoreTweets(db, deps, [id], 'decision')
  if (type === 'skill') await restoreSkill(db, deps, id, 'decision')
  if (type === 'file') {
    await restoreFile(db, id)
    await followFile(db, deps, id)
  }
}

/** Changes some of what shows a file at once, and leaves the rest to the background. */
async function followFile(db: Db, deps: ApplyDeps, name: string): Promise<void> {
  await settleFile(db, deps, name)
  await enqueueTwice(db, deps, 'settle_file', { name })
}
