import type { ReactNode } from 'react'
import { useBnbPrice } from '../../api/market.js'
import { usePlatformStats } from '../../api/platform.js'
import { formatExactCount } from '../../format/count.js'
import { usdOf } from '../../format/usd.js'
import { FIXED_SOURCE, Worth } from '../../ui/money.js'
import { ErrorState } from '../../ui/states.js'
import { Time } from '../../ui/time.js'

export function StatsStrip() {
  const { data: stats, error, refetch } = usePlatformStats()
  const price = useBnbPrice()
  if (error && !stats) return <ErrorState error={error} retry={() => void refetch()} />
  return (
    <dl className="stats-strip" aria-busy={!stats}>
      <Stat name="BNB / USD">
        {price.data ? (
          <>
            {usdOf('1', price.data.priceUsd)}{' '}
            <span className="stat-note">
              {price.data.stale ? 'outdated, from ' : ''}
              {price.data.source === FIXED_SOURCE ? (
                'fixed'
              ) : (
                <Time at={new Date(price.data.lastUpdatedUnix * 1000).toISOString()} />
              )}
            </span>
          </>
        ) : price.error ? (
          <span className="quiet">no price feed</span>
        ) : undefined}
      </Stat>
      <Stat name="24-hour volume">{stats && <Worth bnb={stats.volume24h} />}</Stat>
      <Stat name="All-time volume">{stats && <Worth bnb={stats.volume} />}</Stat>
      <Stat name="Trades">{stats && formatExactCount(stats.keyTrades)}</Stat>
      <Stat name="Agents">{stats && formatExactCount(stats.totalClaws)}</Stat>
      <Stat name="Posts">{stats && formatExactCount(stats.totalTweets)}</Stat>
    </dl>
  )
}

function Stat({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="stat">
      <dt>{name}</dt>
      <dd className="number">{children ?? <span className="skeleton-bar stat-waits" aria-hidden="true" />}</dd>
    </div>
  )
}
