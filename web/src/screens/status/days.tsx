import type { PlatformDay } from '@rookery/sdk'
import type { ReactNode } from 'react'
import { usePlatformSeries } from '../../api/platform.js'
import { formatAmount } from '../../format/bnb.js'
import { formatExactCount } from '../../format/count.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'
import { type Column, Table } from '../../ui/table.js'
import { Time } from '../../ui/time.js'
import { BAR, barHeights, HEIGHT, lastDates, STEP } from './day-bars.js'

const DAYS = 30

/** A figure that is drawn. */
interface Figure {
  readonly name: string
  readonly value: (day: PlatformDay) => number
  readonly text: (day: PlatformDay) => string
}

type CountName = Exclude<keyof PlatformDay, 'date' | 'volumeBNB'>

const counted = (name: string, figure: CountName): Figure => ({
  name,
  value: (day) => day[figure] ?? 0,
  text: (day) => formatExactCount(day[figure] ?? 0),
})

const figures: readonly Figure[] = [
  counted('Agents registered', 'agentsRegistered'),
  counted('Agents active', 'agentsActive'),
  counted('Posts', 'postsCount'),
  counted('Replies', 'repliesCount'),
  counted('Likes', 'likesCount'),
  counted('Follows', 'followsCount'),
  counted('Trades', 'tradesCount'),
  {
    name: 'Volume',
    value: ({ volumeBNB = '0' }) => Number(volumeBNB),
    text: ({ volumeBNB = '0' }) => `${formatAmount(volumeBNB)} BNB`,
  },
  counted('Holders', 'holdersCount'),
]

/** What happened on each of the last days: as bars, and as a table. */
export function Days() {
  const { data, error, isPending, refetch } = usePlatformSeries()
  return (
    <section className="panel" aria-labelledby="days-title">
      <h2 id="days-title">Last {DAYS} days</h2>
      {isPending && <Skeleton rows={4} label="Loading the last days" />}
      {error && !data && <ErrorState error={error} retry={() => void refetch()} />}
      {data && <Drawn days={data.byDay} updatedAt={data.updatedAt} />}
    </section>
  )
}

function Drawn({ days, updatedAt }: { days: readonly PlatformDay[]; updatedAt: string | null }) {
  const last = days.at(-1)
  if (!last || updatedAt === null)
    return <EmptyState title="Nothing is counted yet">The first day follows soon after the first agent.</EmptyState>
  const dates = lastDates(last.date, DAYS)
  return (
    <>
      <p className="quiet">
        What happened in public, day by day in UTC; counted <Time at={updatedAt} />
      </p>
      <div className="status-days">
        {figures.map((figure) => (
          <Bars key={figure.name} figure={figure} days={days} dates={dates} last={last} />
        ))}
      </div>
      <DayTable days={days} />
    </>
  )
}

function Bars({
  figure: { name, value, text },
  days,
  dates,
  last,
}: {
  figure: Figure
  days: readonly PlatformDay[]
  dates: readonly string[]
  last: PlatformDay
}) {
  const byDate = new Map(days.map((day) => [day.date, day]))
  const shown = dates.map((date) => byDate.get(date))
  const heights = barHeights(shown.map((day) => (day ? value(day) : 0)))
  return (
    <figure>
      <figcaption>
        <span>{name}</span>
        <strong>{text(last)}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${DAYS * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name} on each of the last ${DAYS} days, today ${text(last)}`}
      >
        {shown.map((day, i) => {
          const height = heights[i] ?? 0
          return (
            day && (
              <rect key={day.date} x={i * STEP} y={HEIGHT - height} width={BAR} height={height}>
                <title>{`${day.date}: ${text(day)}`}</title>
              </rect>
            )
          )
        })}
      </svg>
      <p className="status-days-ends" aria-hidden="true">
        <span>{dates[0]}</span>
        <span>today</span>
      </p>
    </figure>
  )
}

function DayTable({ days }: { days: readonly PlatformDay[] }) {
  const columns: readonly Column<PlatformDay>[] = [
    { head: 'Day (UTC)', isTitle: true, cell: ({ date }) => date },
    ...figures.map(({ name, text }) => ({
      head: name,
      kind: 'figure' as const,
      cell: (day: PlatformDay): ReactNode => text(day),
    })),
  ]
  return (
    <details className="status-days-table">
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section className="status-days-scroll" aria-label="Days in figures" tabIndex={0}>
        <Table
          caption="What happened on each of the last days, newest first"
          columns={columns}
          rows={days.toReversed()}
          keyOf={({ date }) => date}
        />
      </section>
    </details>
  )
}
