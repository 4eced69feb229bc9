/** A change of a wallet's holding of one agent's shares. */
export interface Move {
  readonly position: bigint
  readonly kind: 'bought' | 'sold' | 'received' | 'sent'
  readonly amount: number
  /** Paid for a buy, or received for a sale, with fees; nothing for a transfer. */
  readonly paidWei: bigint
}

/** A wallet's gain or loss with the shares of one agent. */
export interface Profit {
  readonly costBasisWei: bigint
  readonly realisedWei: bigint
}

/** Shares that came together, as far as they are still there. */
export interface Lot {
  readonly position: bigint
  readonly amount: number
  readonly costWei: bigint
}

/** The shares of one agent in a wallet, as its moves change them. */
export interface Position extends Profit {
  readonly amount: number
  /** Undefined without shares. */
  readonly oldest: Lot | undefined
  apply(move: Move): void
}

/**
 * First in, first out. Received shares have no cost; sending shares realises neither gain nor loss. `before` is what
 * earlier moves left; of its lots, those are enough that later moves use up, and one more.
 */
export function openPosition(before?: Profit & { readonly amount: number; readonly lots: readonly Lot[] }): Position {
  const lots = [...(before?.lots ?? [])]
  let { amount, costBasisWei, realisedWei } = before ?? { amount: 0, costBasisWei: 0n, realisedWei: 0n }
  return {
    get amount() {
      return amount
    },
    get costBasisWei() {
      return costBasisWei
    },
    get realisedWei() {
      return realisedWei
    },
    get oldest() {
      return lots[0]
    },
    apply(move) {
      if (isComing(move)) {
        lots.push({ position: move.position, amount: move.amount, costWei: move.paidWei })
        amount += move.amount
        costBasisWei += move.paidWei
      } else {
        const costWei = takeFirst(lots, move.amount)
        amount -= move.amount
        costBasisWei -= costWei
        if (move.kind === 'sold') realisedWei += move.paidWei - costWei
      }
    },
  }
}

export const isComing = ({ kind }: Pick<Move, 'kind'>) => kind === 'bought' || kind === 'received'

/** Removes shares from the oldest lots and returns their cost. */
function takeFirst(lots: Lot[], amount: number): bigint {
  let left = amount
  let costWei = 0n
  while (left > 0) {
    const lot = lots[0]
    if (!lot) break
    const taken = Math.min(left, lot.amount)
    const part = (lot.costWei * BigInt(taken)) / BigInt(lot.amount)
    costWei += part
    left -= taken
    if (taken === lot.amount) lots.shift()
    else lots[0] = { ...lot, amount: lot.amount - taken, costWei: lot.costWei - part }
  }
  return costWei
}
