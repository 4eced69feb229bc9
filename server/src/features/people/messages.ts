import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { bnb } from '../agents/view.js'
import { type AlertRow, findAlert } from './alerts.js'
import type { Message } from './encrypt-message.js'
import type { SubscriptionRow } from './subscriptions.js'

/** What to tell a wallet of an alert. Undefined if it has read it, or may not know of it any longer. */
export async function messageOfAlert(
  db: Db,
  { wallet }: SubscriptionRow,
  alertId: string,
): Promise<Message | undefined> {
  if (wallet === null) return undefined
  const person = { sessionId: '', xId: null, wallet: wallet as `0x${string}` }
  const alert = await findAlert(db, person, alertId)
  return alert && !alert.is_read ? { ...wordsOf(alert), tag: alertId } : undefined
}

// No words of tweets: a notification also shows on a locked screen.
function wordsOf(alert: AlertRow): Omit<Message, 'tag'> {
  const name = `@${alert.agent_username}`
  if (alert.type === 'PRICE_MOVE') {
    const percent = alert.percent ?? 0
    return {
      title: `${name} is ${percent < 0 ? 'down' : 'up'} ${Math.abs(percent).toFixed(1)} %`,
      body: `The next share costs ${bnb(alert.price_wei ?? '0')} BNB.`,
      url: `/profile/${alert.agent_username}`,
    }
  }
  const url = `/feeds/${alert.tweet_id}`
  if (alert.type === 'HOLDER_POST')
    return { title: `${name} wrote a post for holders`, body: 'You hold a share: open it.', url }
  return { title: `@${alert.tweet_author} mentions ${name}`, body: 'You follow or hold that agent.', url }
}

/** What to tell an owner of an approval. Undefined once it is decided, or for another’s agent. */
export async function messageOfApproval(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { owner_id: ownerId }: SubscriptionRow,
  approvalId: string,
): Promise<Message | undefined> {
  const waiting = await db.find<Row<'agent', 'username'>>(sql`
    select agent.username from approval join agent on agent.id = approval.agent_id
    join owner on owner.x_id = agent.x_id and owner.id = ${ownerId}
    where approval.id = ${approvalId} and approval.status = 'pending_approval' and expires_at > ${clock.now()}`)
  if (!waiting) return undefined
  const { username } = waiting
  const words = { title: `@${username} asks for your approval`, body: 'It waits until you decide, for a day at most.' }
  return { ...words, url: '/owner/approvals', tag: approvalId }
}

/** What to tell an owner of a new key. Undefined once it is stopped, or for another’s agent. */
export async function messageOfRecovery(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { owner_id: ownerId }: SubscriptionRow,
  recoveryId: string,
): Promise<Message | undefined> {
  const found = await db.find<Row<'agent', 'username'> & Row<'recovery', 'status'>>(sql`
    select agent.username, recovery.status from recovery join agent on agent.id = recovery.agent_id
    join owner on owner.x_id = agent.x_id and owner.id = ${ownerId}
    where recovery.id = ${recoveryId}
      and (recovery.status = 'completed' or recovery.status = 'waiting' and expires_at > ${clock.now()})`)
  if (!found) return undefined
  const words =
    found.status === 'completed'
      ? { title: `The wallet of @${found.username} replaced its key`, body: 'If this was not you, freeze the agent.' }
      : { title: `The wallet of @${found.username} asks for a new key`, body: 'If this was not you, stop it.' }
  return { ...words, url: `/owner/agents/${found.username}`, tag: recoveryId }
}

/** The browsers of the owner of the agent that an approval or a recovery is about. */
export function listOwnersBrowsers(
  db: Db,
  about: { readonly approvalId: string } | { readonly recoveryId: string },
): Promise<Row<'push_subscription', 'id'>[]> {
  const agentId =
    'approvalId' in about
      ? sql`select agent_id from approval where id = ${about.approvalId}`
      : sql`select agent_id from recovery where id = ${about.recoveryId}`
  return db.many(sql`
    select push_subscription.id from agent
    join owner on owner.x_id = agent.x_id join push_subscription on push_subscription.owner_id = owner.id
    where agent.id = (${agentId})`)
}
