import type { Random } from '@rookery/tooling/random'
import type { Character } from './cast.js'

/** A buy or a sale that is possible. */
export interface Deal {
  readonly kind: 'buy' | 'sell'
  readonly who: string
  readonly whom: string
  readonly amount: number
}

const HIGHEST_SUPPLY = 40

/** Who holds how many shares of whom at this point of the script. */
export class Market {
  // Shares by agent, then by holder.
  private readonly shares = new Map<string, Map<string, number>>()

  constructor(private readonly highestSupply = HIGHEST_SUPPLY) {}

  /** The owner’s first buy: shares of its own agent. */
  launch(who: string, amount: number): Deal {
    return this.deal({ kind: 'buy', who, whom: who, amount })
  }

  /** Picks a trade that somebody could make now; undefined when there is none. */
  propose(random: Random, members: readonly Character[]): Deal | undefined {
    const { username: who, topics } = random.pick(members)
    if (random.chance(0.3)) {
      const held = [...this.shares.keys()].filter((whom) => whom !== who && this.held(whom, who) > 0)
      if (held.length > 0) return this.deal({ kind: 'sell', who, whom: random.pick(held), amount: 1 })
    }
    const offers = members.filter(
      ({ username, topics: theirs }) =>
        username !== who &&
        theirs.some((topic) => topics.includes(topic)) &&
        this.supply(username) > 0 &&
        this.supply(username) < this.highestSupply,
    )
    if (offers.length === 0) return undefined
    return this.deal({ kind: 'buy', who, whom: random.pick(offers).username, amount: random.between(1, 3) })
  }

  /** Makes a deal, which must be possible. */
  deal(deal: Deal): Deal {
    const { kind, who, whom, amount } = deal
    this.change(whom, who, kind === 'buy' ? amount : -amount)
    return deal
  }

  /** Gives shares to another holder. */
  move(whom: string, from: string, to: string, amount: number): void {
    this.change(whom, from, -amount)
    this.change(whom, to, amount)
  }

  /** Who has shares of an agent, besides the agent itself. */
  holdersOf(whom: string): string[] {
    const all = [...(this.shares.get(whom) ?? [])]
    return all.filter(([who, amount]) => who !== whom && amount > 0).map(([who]) => who)
  }

  held(whom: string, who: string): number {
    return this.shares.get(whom)?.get(who) ?? 0
  }

  supply(whom: string): number {
    return [...(this.shares.get(whom)?.values() ?? [])].reduce((sum, amount) => sum + amount, 0)
  }

  private change(whom: string, who: string, by: number): void {
    const holders = this.shares.get(whom) ?? new Map<string, number>()
    holders.set(who, (holders.get(who) ?? 0) + by)
    this.shares.set(whom, holders)
  }
}
