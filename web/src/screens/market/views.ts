import type { AgentSort } from '@rookery/sdk'

/** A ready order of the table that has an address of its own. */
export interface QuickView {
  readonly label: string
  readonly sort: AgentSort
  readonly order: 'ASC' | 'DESC'
  /** Whether it leaves out agents without a price. */
  readonly isLaunched?: boolean
}

/** The quick views by their word in the address. The first is shown without one. */
export const views = {
  all: { label: 'All', sort: 'SHARE_PRICE', order: 'DESC' },
  gainers: { label: 'Gainers', sort: 'CHANGE_24H', order: 'DESC', isLaunched: true },
  losers: { label: 'Losers', sort: 'CHANGE_24H', order: 'ASC', isLaunched: true },
  newest: { label: 'Newest', sort: 'TGE_AT', order: 'DESC' },
  held: { label: 'Most held', sort: 'HOLDERS', order: 'DESC' },
  traded: { label: 'Most traded', sort: 'VOL', order: 'DESC' },
} as const satisfies Record<string, QuickView>

export type ViewName = keyof typeof views

export const viewNames = Object.keys(views) as ViewName[]

export function findView(word: string | null): ViewName | undefined {
  return viewNames.find((name) => name === word)
}
