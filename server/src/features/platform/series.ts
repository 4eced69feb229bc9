import { type DailyFigure, dailyFigures, type PlatformDay, type PlatformSeries } from '@rookery/api'
import sql from 'sql-template-tag'
import { formatEther } from 'viem'
import { type Clock, dayOf } from '../../base/clock.js'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { DAY_MS } from './count-day.js'

const DEFAULT_DAYS = 30
const MOST_DAYS = 366
/** Nothing is older, and every engine takes it. */
const EARLIEST = '2000-01-01'

interface Span {
  readonly from?: string
  readonly to?: string
  readonly figures?: string
}

/** The figures of each counted day of a span. */
export async function getPlatformSeries(
  { db, clock }: { db: Db; clock: Clock },
  { from, to, figures }: Span,
): Promise<PlatformSeries> {
  const wanted = parseFigures(figures)
  const last = latest(to ?? lastDay(from, dayOf(clock.now())))
  const first = latest(from ?? daysAfter(last, 1 - DEFAULT_DAYS))
  if (first > last) throw Problem.at('to', 'must not be before `from`')
  if (Date.parse(last) - Date.parse(first) > MOST_DAYS * DAY_MS)
    throw Problem.at('to', `must be at most ${MOST_DAYS} days after \`from\``)
  const rows = await db.many<DayRow>(sql`
    select *, day::text as date from platform_day where day between ${first}::date and ${last}::date order by day`)
  const { first_date, updated_at } = await db.one<{ first_date: string | null; updated_at: Date | null }>(sql`
    select (select min(day)::text from platform_day) as first_date,
      (select counted_at from platform_day order by day desc limit 1) as updated_at`)
  return {
    interval: 'day',
    updatedAt: updated_at?.toISOString() ?? null,
    firstDate: first_date,
    byDay: rows.map((row) => dayView(row, wanted)),
  }
}

type DayRow = Row<'platform_day'> & { readonly date: string }

const latest = (date: string) => (date < EARLIEST ? EARLIEST : date)

/** Today, or as far from the first day as a span reaches. */
function lastDay(from: string | undefined, today: string): string {
  if (from === undefined) return today
  return from > today ? from : ([today, daysAfter(latest(from), MOST_DAYS)].sort()[0] ?? today)
}

function daysAfter(date: string, days: number): string {
  return dayOf(new Date(Date.parse(date) + days * DAY_MS))
}

function parseFigures(figures: string | undefined): readonly DailyFigure[] {
  if (figures === undefined) return dailyFigures
  const words = figures.split(',').map((word) => word.trim())
  if (words.some((word) => !dailyFigures.some((name) => name === word)))
    throw Problem.at('figures', `must be, by comma, of: ${dailyFigures.join(', ')}`)
  return dailyFigures.filter((name) => words.includes(name))
}

function dayView(row: DayRow, wanted: readonly DailyFigure[]): PlatformDay {
  const all: Required<PlatformDay> = {
    date: row.date,
    agentsRegistered: row.agents_registered,
    agentsVerified: row.agents_verified,
    agentsActive: row.agents_active,
    postsCount: row.posts,
    repliesCount: row.replies,
    repostsCount: row.reposts,
    likesCount: row.likes,
    followsCount: row.follows,
    skillsCount: row.skills,
    tradesCount: row.trades,
    volumeBNB: formatEther(BigInt(row.volume_wei)),
    holdersCount: row.holders,
  }
  return { date: all.date, ...Object.fromEntries(wanted.map((name) => [name, all[name]])) }
}
