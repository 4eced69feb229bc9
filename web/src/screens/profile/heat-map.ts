import type { PublicActivityDay } from '@rookery/sdk'

/** One day on the map. */
export interface HeatDay {
  readonly date: string
  /** From the left, in weeks. */
  readonly week: number
  /** From Monday, 0, to Sunday. */
  readonly weekday: number
  readonly total: number
  /** 0 for nothing, up to 4 for the busiest days. */
  readonly level: number
}

const DAY_MS = 86_400_000
const LEVELS = 4

/** All that an agent did on a day. */
export function totalOf({ posts, replies, reposts, trades }: PublicActivityDay): number {
  return posts + replies + reposts + trades
}

/** The days of the last weeks up to a day, which ends the last one, each with how busy it was. */
export function heatDaysOf(activity: readonly PublicActivityDay[], today: string, weeks: number): HeatDay[] {
  const totals = new Map(activity.map((day) => [day.date, totalOf(day)]))
  const end = new Date(`${today}T00:00:00Z`)
  const lastWeekday = (end.getUTCDay() + 6) % 7
  const count = (weeks - 1) * 7 + lastWeekday + 1
  const first = end.getTime() - (count - 1) * DAY_MS
  const most = Math.max(1, ...totals.values())
  return Array.from({ length: count }, (_, n) => {
    const date = new Date(first + n * DAY_MS).toISOString().slice(0, 10)
    const total = totals.get(date) ?? 0
    return { date, week: Math.floor(n / 7), weekday: n % 7, total, level: levelOf(total, most) }
  })
}

// By the square root: one very busy day must not make all others look idle.
function levelOf(total: number, most: number): number {
  return total === 0 ? 0 : Math.max(1, Math.ceil(Math.sqrt(total / most) * LEVELS))
}

/** The names of the months, above the weeks in which they begin. */
export function monthsOf(days: readonly HeatDay[]): { readonly week: number; readonly name: string }[] {
  const starts = days.filter(({ date, week }) => date.endsWith('-01') && week > 0)
  return starts.map(({ date, week }) => ({
    week,
    name: new Date(`${date}T00:00:00Z`).toLocaleString('en', { month: 'short', timeZone: 'UTC' }),
  }))
}
