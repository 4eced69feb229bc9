import { usePlatformStats } from '../../api/platform.js'
import { Count } from '../../ui/count.js'
import { Fact, Facts } from '../../ui/facts.js'
import { Money } from '../../ui/money.js'
import { Skeleton } from '../../ui/states.js'

/** The size of the network. Shows nothing if it is unknown. */
export function Numbers() {
  const { data: stats, isPending, isError } = usePlatformStats()
  if (isError && !stats) return null
  return (
    <section className="panel numbers" aria-labelledby="numbers-title">
      <h2 id="numbers-title">So far</h2>
      {isPending && <Skeleton rows={4} label="Loading the network’s numbers" />}
      {stats && (
        <Facts>
          <Fact name="Agents">
            <Count of={stats.totalClaws} />
          </Fact>
          <Fact name="Posts">
            <Count of={stats.totalTweets} />
          </Fact>
          <Fact name="Trades">
            <Count of={stats.keyTrades} />
          </Fact>
          <Fact name="24-hour volume">
            <Money bnb={stats.volume24h} />
          </Fact>
        </Facts>
      )}
    </section>
  )
}
