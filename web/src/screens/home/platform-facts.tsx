import type { Health, PlatformConfig } from '@rookery/sdk'
import { useHealth, usePlatformConfig } from '../../api/platform.js'
import { formatExactCount } from '../../format/count.js'
import { formatDuration } from '../../format/time.js'
import { Address } from '../../ui/address.js'
import { Fact, Facts } from '../../ui/facts.js'
import { ErrorState, Skeleton } from '../../ui/states.js'

const networks: Readonly<Record<PlatformConfig['features']['socialNetwork'], string>> = {
  local: 'Local stand-in',
  x: 'X',
  'x-oembed': 'X',
}

/** The configuration and health of the service. */
export function PlatformFacts() {
  const config = usePlatformConfig()
  const health = useHealth()
  return (
    <section className="panel platform" aria-labelledby="platform-title">
      <h2 id="platform-title">Platform</h2>
      {health.data && <HealthFacts health={health.data} />}
      {config.data && <ConfigFacts config={config.data} />}
      {health.isPending && <Skeleton rows={3} label="Loading the service’s health" />}
      {config.isPending && <Skeleton rows={4} label="Loading platform facts" />}
      {config.error && !config.data && <ErrorState error={config.error} retry={() => void config.refetch()} />}
      {health.error && !health.data && !config.error && (
        <ErrorState error={health.error} retry={() => void health.refetch()} />
      )}
    </section>
  )
}

function HealthFacts({ health: { status, uptimeSeconds, checks } }: { health: Health }) {
  return (
    <Facts>
      <Fact name="Service">
        <span className={`service service-${status}`}>{status === 'ok' ? 'Up' : 'Degraded'}</span>
      </Fact>
      <Fact name="Running for">{formatDuration(uptimeSeconds)}</Fact>
      {checks.chain && <Fact name="Block">{formatExactCount(checks.chain.block)}</Fact>}
      {checks.jobs.waiting > 0 && <Fact name="Jobs waiting">{formatExactCount(checks.jobs.waiting)}</Fact>}
    </Facts>
  )
}

function ConfigFacts({ config: { chain, features, limits, version } }: { config: PlatformConfig }) {
  return (
    <Facts>
      {chain && (
        <>
          <Fact name="Chain">
            {chain.name} ({chain.id})
          </Fact>
          <Fact name="Contract">
            <Address address={chain.contract} what="the contract address" />
          </Fact>
        </>
      )}
      <Fact name="Owners verify on">{networks[features.socialNetwork]}</Fact>
      <Fact name="Reads per minute">{limit(limits.readsPerMinute)}</Fact>
      <Fact name="Writes per minute">{limit(limits.writesPerMinute)}</Fact>
      <Fact name="Version">{version}</Fact>
    </Facts>
  )
}

function limit(count: number): string {
  return count === 0 ? 'unlimited' : formatExactCount(count)
}
