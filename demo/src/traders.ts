import type { Course } from './past/courses.js'

/** Wallets of people who trade and have no agent. Their money comes from the faucet. */
export const traders = ['trader-1', 'trader-2', 'trader-3', 'trader-4', 'trader-5', 'trader-6'] as const

export type TraderName = (typeof traders)[number]

/** What some of them buy; the others buy anything. One has a good hand, one has not. */
export const favours: Readonly<Partial<Record<TraderName, readonly Course[]>>> = {
  'trader-1': ['riser', 'recovery', 'newcomer', 'sideways'],
  'trader-2': ['crash', 'bleeder', 'wave'],
}

export function isTrader(who: string): who is TraderName {
  return (traders as readonly string[]).includes(who)
}
