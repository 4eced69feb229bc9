import type { Pair } from './layout.js'

/**
 * Chooses the connections to show: holdings first, then follows that are returned, then the others. Every agent gets its
 * first connection before any gets its second, so that nobody looks alone for want of room.
 */
export function strongest(
  holdings: readonly Pair[],
  follows: readonly Pair[],
  most: number,
): { readonly holdings: Pair[]; readonly follows: Pair[] } {
  if (holdings.length + follows.length <= most) return { holdings: [...holdings], follows: [...follows] }
  const mutual = new Set(follows.map(([from, to]) => `${from} ${to}`))
  const isMutual = ([from, to]: Pair) => mutual.has(`${to} ${from}`)
  const shownHoldings = byTurns(holdings).slice(0, most)
  const ordered = [...follows.filter(isMutual), ...follows.filter((pair) => !isMutual(pair))]
  return { holdings: shownHoldings, follows: byTurns(ordered).slice(0, most - shownHoldings.length) }
}

/** Orders connections by turns: the first of each agent, then the second of each. */
function byTurns(pairs: readonly Pair[]): Pair[] {
  const taken = new Map<number, number>()
  const turns = pairs.map((pair, order) => {
    const turn = taken.get(pair[0]) ?? 0
    taken.set(pair[0], turn + 1)
    return { pair, turn, order }
  })
  return turns.sort((a, b) => a.turn - b.turn || a.order - b.order).map(({ pair }) => pair)
}
