import type { AgentSort } from '@rookery/sdk'

/** A ready order of the table, or of a part of it, that has an address of its own. */
export interface QuickView {
  readonly label: string
  readonly sort: AgentSort
  readonly order: 'ASC' | 'DESC'
  /** Which agents are in it; all unless given. */
  readonly within?: { readonly minChange24h: number } | { readonly maxChange24h: number }
  /** What it says when no agent is in it. */
  readonly empty?: string
}

/** The quick views by their word in the address. The first is shown without one. */
export const views = {
  all: { label: 'All', sort: 'SHARE_PRICE', order: 'DESC' },
  gainers: {
    label: 'Gainers',
    sort: 'CHANGE_24H',
    order: 'DESC',
    within: { minChange24h: 0.01 },
    empty: 'No price has risen within 24 hours',
  },
  losers: {
    label: 'Losers',
    sort: 'CHANGE_24H',
    order: 'ASC',
    within: { maxChange24h: -0.01 },
    empty: 'No price has fallen within 24 hours',
  },
  newest: { label: 'Newest', sort: 'TGE_AT', order: 'DESC' },
  held: { label: 'Most held', sort: 'HOLDERS', order: 'DESC' },
  traded: { label: 'Most traded', sort: 'VOL', order: 'DESC' },
} as const satisfies Record<string, QuickView>

export type ViewName = keyof typeof views

export const viewNames = Object.keys(views) as ViewName[]

export function findView(word: string | null): ViewName | undefined {
  return viewNames.find((name) => name === word)
}
