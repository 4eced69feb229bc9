import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { SessionIdentity } from '../../foundation/callers/session-tokens.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { isLoopbackName } from '../webhooks/loopback.js'
import type { Post } from '../webhooks/post.js'
import { type Browser, encryptMessage } from './encrypt-message.js'

type SubscriptionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'config'>

const MOST_BROWSERS = 10
const KEPT_MS = 30 * 24 * 60 * 60_000
const PURPOSE = 'push-subscription'

/** Lets a browser be notified for who calls. Whoever used that browser before is no longer notified there. */
export async function createSubscription(
  deps: SubscriptionDeps & { readonly post: Post },
  { wallet, owner }: SessionIdentity,
  browser: Browser,
): Promise<string> {
  requireUsable(deps, browser)
  const { db, clock, ids, secrets } = deps
  const sealed = secrets.seal(PURPOSE, JSON.stringify(browser))
  const ownerId = owner?.id ?? null
  return db.transaction(async (db) => {
    // Parallel calls wait for each other here; otherwise they would exceed the limit.
    await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${wallet ?? ownerId}, 206))`)
    const { id } = await db.one<Row<'push_subscription', 'id'>>(sql`
      insert into push_subscription (id, endpoint_hash, sealed, sealed_by, wallet, owner_id, updated_at)
      values (${ids.next()}, ${secrets.hash(PURPOSE, browser.endpoint)}, ${sealed}, ${secrets.ids[0]}, ${wallet}, ${ownerId}, ${clock.now()})
      on conflict (endpoint_hash) do update set sealed = excluded.sealed, sealed_by = excluded.sealed_by, wallet = excluded.wallet,
        owner_id = excluded.owner_id, updated_at = excluded.updated_at
      returning id`)
    await db.run(sql`
      delete from push_subscription where id in (
        select id from push_subscription where wallet = ${wallet} or owner_id = ${ownerId}
        order by updated_at desc, id desc offset ${MOST_BROWSERS})`)
    return id
  })
}

export async function deleteSubscription(db: Db, { wallet, owner }: SessionIdentity, id: string): Promise<void> {
  const deleted = await db.run(sql`
    delete from push_subscription where id = ${id} and (wallet = ${wallet} or owner_id = ${owner?.id ?? null})`)
  if (deleted === 0) throw new Problem('SUBSCRIPTION_NOT_FOUND')
}

export type SubscriptionRow = Row<'push_subscription', 'id' | 'sealed' | 'wallet' | 'owner_id'>

/** Finds a subscription whose person is still signed in somewhere. */
export function findSubscription(db: Db, id: string): Promise<SubscriptionRow | undefined> {
  return db.find<SubscriptionRow>(sql`
    select id, sealed, wallet, owner_id from push_subscription where id = ${id} and exists (
      select from owner_session where ended_at is null
        and (wallet_address = push_subscription.wallet or owner_session.owner_id = push_subscription.owner_id))`)
}

/** The browser of a subscription; undefined for one that was sealed with a secret that has been dropped. */
export function openSealed({ secrets }: Pick<Deps, 'secrets'>, { sealed }: SubscriptionRow): Browser | undefined {
  try {
    return JSON.parse(secrets.unseal(PURPOSE, sealed))
  } catch {
    return undefined
  }
}

/** Forgets browsers of people who have not been signed in anywhere for long. */
export function deleteOldSubscriptions({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return db.run(sql`
    delete from push_subscription where updated_at <= ${new Date(clock.now().getTime() - KEPT_MS)} and not exists (
      select from owner_session where ended_at is null
        and (wallet_address = push_subscription.wallet or owner_session.owner_id = push_subscription.owner_id))`)
}

export async function removeSubscription(db: Db, id: string): Promise<void> {
  await db.run(sql`delete from push_subscription where id = ${id}`)
}

/** Refuses an address that the service must not call, and keys that nothing can be encrypted for. */
function requireUsable(deps: SubscriptionDeps & { readonly post: Post }, browser: Browser): void {
  const reason = deps.post.refuse(browser.endpoint)
  if (reason !== undefined) throw new Problem('PUSH_ADDRESS_REFUSED', { message: `The endpoint ${reason}.` })
  // Strangers choose the address, and one that never answers would keep others waiting.
  if (!isPushService(new URL(browser.endpoint).hostname, deps.config.PUSH_SERVICES))
    throw new Problem('PUSH_ADDRESS_REFUSED', { message: 'The endpoint is not at a push service that is known here.' })
  try {
    encryptMessage(deps, browser, { title: '', body: '', url: '/', tag: '' })
  } catch {
    throw new Problem('PUSH_ADDRESS_REFUSED', { message: 'Its keys are not those of a push subscription.' })
  }
}

function isPushService(host: string, known: readonly string[]): boolean {
  return isLoopbackName(host) || known.some((name) => host === name || host.endsWith(`.${name}`))
}
