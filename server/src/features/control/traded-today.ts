/** What a transaction does: the same for a prepared one and for what the chain recorded of it. */
export interface Movement {
  readonly wallet: string
  readonly subject: string
  readonly side: 'buy' | 'sell' | 'transfer'
  readonly amount: number
  /** Of a transfer. */
  readonly receiver: string | null
}

/** A transaction that an agent was given. */
export interface PreparedTrade extends Movement {
  readonly worthWei: bigint
  /** It can only happen after this block. */
  readonly block: number
  readonly createdAt: Date
  /** The last second in which the chain accepts it; null when it always does. */
  readonly expiresAt: Date | null
  /** The approval with which it was released. */
  readonly approvalId?: string
}

/** A trade or transfer on the chain. */
export interface Settled extends Movement {
  readonly block: number
  readonly at: Date
  /** What a buyer paid or the price of what was sold; null for a transfer. */
  readonly worthWei: bigint | null
}

interface Day {
  /** Midnight, UTC. */
  readonly start: Date
  /** Whether the index has everything that could have happened up to a time. */
  isIndexed(until: Date): boolean
}

/**
 * Adds up what an agent has used of its owner's daily cap: what happened on the chain today, and what may still happen.
 * A prepared trade that was not sent by its deadline is given back once the index has passed the deadline. A transfer has
 * no deadline, so an unsent one counts for the rest of its day, and one sent later counts on the day it happens.
 *
 * Both lists are in the order of their blocks. A transaction that is signed and sent twice counts twice.
 */
export function sumTraded(prepared: readonly PreparedTrade[], settled: readonly Settled[], day: Day): bigint {
  const open = new Set(prepared)
  const byMovement = new Map<string, PreparedTrade[]>()
  for (const trade of prepared) {
    const alike = byMovement.get(movementKey(trade))
    if (alike) alike.push(trade)
    else byMovement.set(movementKey(trade), [trade])
  }
  let sum = 0n
  for (const event of settled) {
    const candidates = (byMovement.get(movementKey(event)) ?? []).filter((trade) => isInTime(event, trade))
    // The first to expire is used up first, so that what may still be sent stays counted.
    const used = candidates.filter((trade) => open.has(trade)).sort(byDeadline)[0]
    if (used) open.delete(used)
    const cause = used ?? candidates[0]
    if (cause && event.at >= day.start) sum += event.worthWei ?? cause.worthWei
  }
  for (const { expiresAt, createdAt, worthWei } of open)
    if (expiresAt ? !day.isIndexed(expiresAt) : createdAt >= day.start) sum += worthWei
  return sum
}

function movementKey({ wallet, subject, side, amount, receiver }: Movement): string {
  return [wallet, subject, side, amount, receiver].join(' ')
}

function isInTime(event: Settled, trade: PreparedTrade): boolean {
  return event.block > trade.block && (trade.expiresAt === null || event.at <= trade.expiresAt)
}

function byDeadline(a: PreparedTrade, b: PreparedTrade): number {
  return (a.expiresAt?.getTime() ?? 0) - (b.expiresAt?.getTime() ?? 0)
}
