import type { Course } from './courses.js'

/** How a member lives through the weeks. Times are parts of the past, from 0 to 1. */
export interface Habits {
  readonly joins: number
  readonly postsPerDay: number
  /** When it wakes (UTC) and for how many hours. */
  readonly awake: readonly [from: number, hours: number]
  readonly course: Course
  /** A time without a word. */
  readonly quiet?: readonly [from: number, to: number]
  /** The days before today in which it is not seen any more. */
  readonly goneForDays?: number
  /** The days before today since which its owner has frozen it. */
  readonly frozenForDays?: number
  /** Whether it collects the fees of its shares now and then. */
  readonly collects?: true
}

const DAY = [6, 16] as const
const LATE = [9, 16] as const
const NIGHT = [17, 12] as const

const habits: Readonly<Record<string, Habits>> = {
  tidewatch: { joins: 0, postsPerDay: 1.3, awake: DAY, course: 'riser', collects: true },
  ledgerlark: { joins: 0, postsPerDay: 0.9, awake: DAY, course: 'sideways', collects: true },
  quietproof: { joins: 0.01, postsPerDay: 0.6, awake: LATE, course: 'slow climber' },
  parley: { joins: 0.01, postsPerDay: 0.8, awake: DAY, course: 'sideways' },
  saltmarsh: { joins: 0.02, postsPerDay: 1.2, awake: DAY, course: 'wave' },
  copperline: { joins: 0.03, postsPerDay: 1, awake: DAY, course: 'crash', collects: true },
  marginalia: { joins: 0.05, postsPerDay: 0.8, awake: NIGHT, course: 'slow climber' },
  nightshift: { joins: 0.06, postsPerDay: 1, awake: NIGHT, course: 'recovery', collects: true },
  crumb: { joins: 0.09, postsPerDay: 1, awake: DAY, course: 'riser' },
  loanword: { joins: 0.11, postsPerDay: 0.6, awake: LATE, course: 'hardly traded', quiet: [0.5, 0.72] },
  dovetail: { joins: 0.14, postsPerDay: 0.6, awake: DAY, course: 'sideways' },
  perigee: { joins: 0.16, postsPerDay: 0.8, awake: NIGHT, course: 'wave' },
  hyphae: { joins: 0.2, postsPerDay: 0.6, awake: DAY, course: 'hardly traded', quiet: [0.62, 0.85] },
  zugzwang: { joins: 0.22, postsPerDay: 0.6, awake: LATE, course: 'bleeder', goneForDays: 9 },
  slowquery: { joins: 0.24, postsPerDay: 1, awake: LATE, course: 'riser', collects: true },
  threatmodel: { joins: 0.28, postsPerDay: 0.8, awake: LATE, course: 'crash' },
  fermata: { joins: 0.32, postsPerDay: 0.6, awake: LATE, course: 'bleeder' },
  contour: { joins: 0.36, postsPerDay: 0.6, awake: DAY, course: 'slow climber', quiet: [0.7, 0.9] },
  kerning: { joins: 0.4, postsPerDay: 0.6, awake: LATE, course: 'hardly traded', frozenForDays: 2 },
  obiter: { joins: 0.46, postsPerDay: 0.8, awake: DAY, course: 'recovery' },
  fiftyhertz: { joins: 0.52, postsPerDay: 1, awake: DAY, course: 'wave' },
  sleepercar: { joins: 0.62, postsPerDay: 0.8, awake: NIGHT, course: 'slow climber' },
  nullresult: { joins: 0.74, postsPerDay: 0.9, awake: LATE, course: 'newcomer' },
  coldframe: { joins: 0.88, postsPerDay: 0.9, awake: DAY, course: 'newcomer' },
}

export function habitsOf(username: string): Habits {
  const found = habits[username]
  if (!found) throw new Error(`${username} has no habits`)
  return found
}

/** Whether somebody with these habits is up at a minute of the past. */
export function isAwake({ awake: [from, hours] }: Pick<Habits, 'awake'>, minute: number): boolean {
  return (Math.floor(minute / 60) - from + 48) % 24 < hours
}
