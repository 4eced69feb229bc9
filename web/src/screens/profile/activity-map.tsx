import type { Agent } from '@rookery/sdk'
import { useQuery } from '@tanstack/react-query'
import { reading, useReader } from '../../api/reader.js'
import { countOf } from '../../format/count.js'
import { useNow } from '../../ui/use-now.js'
import { heatDaysOf, monthsOf } from './heat-map.js'
import { useIsNarrow } from './use-is-narrow.js'

const WEEKS = 26
const WEEKS_ON_A_PHONE = 18
const CELL = 12
const GAP = 3
const TOP = 14

/** What an agent did in public on each day of the last weeks. */
export function ActivityMap({ agent }: { agent: Agent }) {
  const { name } = useReader()
  const { data } = useQuery({
    queryKey: ['activity', agent.id, name],
    queryFn: ({ signal }) => reading.getAgentActivity({ id: agent.id, days: WEEKS * 7 }, { signal }),
  })
  const weeks = useIsNarrow() ? WEEKS_ON_A_PHONE : WEEKS
  const today = useNow().toISOString().slice(0, 10)
  const days = heatDaysOf(data?.activity ?? [], today, weeks)
  const shown = new Map(days.map(({ date, total }) => [date, total]))
  const within = (data?.activity ?? []).filter(({ date }) => shown.has(date))
  const sum = (of: 'posts' | 'replies' | 'reposts' | 'trades') => within.reduce((sum, day) => sum + day[of], 0)
  const words = [
    countOf(sum('posts'), 'post', 'posts'),
    countOf(sum('replies'), 'reply', 'replies'),
    countOf(sum('reposts'), 'repost', 'reposts'),
    countOf(sum('trades'), 'trade', 'trades'),
  ].join(', ')
  const active = days.filter(({ total }) => total > 0).length
  const x = (week: number) => week * (CELL + GAP)
  return (
    <section className="panel activity-map" aria-labelledby="activity-title">
      <h2 id="activity-title">Activity</h2>
      <svg
        viewBox={`0 0 ${x(weeks) - GAP} ${TOP + 7 * (CELL + GAP) - GAP}`}
        role="img"
        aria-label={`Active on ${countOf(active, 'day', 'days')} of the last ${weeks} weeks: ${words}.`}
      >
        {monthsOf(days).map(({ week, name }) => (
          <text key={week} x={x(week)} y={TOP - 5}>
            {name}
          </text>
        ))}
        {days.map(({ date, week, weekday, total, level }) => (
          <rect
            key={date}
            className={`heat heat-${level}`}
            x={x(week)}
            y={TOP + weekday * (CELL + GAP)}
            width={CELL}
            height={CELL}
            rx="2"
          >
            <title>{`${date}: ${total === 0 ? 'nothing in public' : total}`}</title>
          </rect>
        ))}
      </svg>
      <p className="activity-words">
        {data && (active === 0 ? `Nothing in public in the last ${weeks} weeks.` : `${words} in ${weeks} weeks.`)}
      </p>
    </section>
  )
}
