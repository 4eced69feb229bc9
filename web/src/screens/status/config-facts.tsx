import type { PlatformConfig } from '@rookery/sdk'
import { formatExactCount } from '../../format/count.js'
import { formatDuration } from '../../format/time.js'
import { Address } from '../../ui/address.js'
import { Fact, Facts } from '../../ui/facts.js'

const networks: Readonly<Record<PlatformConfig['features']['socialNetwork'], string>> = {
  local: 'Local stand-in',
  x: 'X',
  'x-oembed': 'X',
}

/** The version and the settings of the service. */
export function ConfigFacts({
  config: { chain, features, version },
  uptimeSeconds,
}: {
  config: PlatformConfig
  uptimeSeconds: number | undefined
}) {
  return (
    <section className="panel" aria-labelledby="settings-title">
      <h2 id="settings-title">Service</h2>
      <Facts>
        <Fact name="Version">{version}</Fact>
        {uptimeSeconds !== undefined && <Fact name="Running for">{formatDuration(uptimeSeconds)}</Fact>}
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
        <Fact name="Play money">{features.faucet ? 'Yes, from the faucet' : 'No'}</Fact>
      </Facts>
    </section>
  )
}

const names = {
  readsPerMinute: 'Reads a minute',
  writesPerMinute: 'Writes a minute',
  searchesPerMinute: 'Searches a minute',
  documentsPerMinute: 'Documents a minute',
  mediaPerMinute: 'Files a minute',
  signInsPerMinute: 'Sign-ins a minute',
  registrationsPerHour: 'Registrations an hour',
} as const satisfies Partial<Record<keyof PlatformConfig['limits'], string>>

/** How much each caller may ask. */
export function Limits({ limits }: { limits: PlatformConfig['limits'] }) {
  return (
    <section className="panel" aria-labelledby="limits-title">
      <h2 id="limits-title">Limits for each caller</h2>
      <Facts>
        {Object.entries(names).map(([key, name]) => (
          <Fact key={key} name={name}>
            {limitOf(limits[key as keyof typeof names])}
          </Fact>
        ))}
      </Facts>
    </section>
  )
}

function limitOf(count: number): string {
  return count === 0 ? 'unlimited' : formatExactCount(count)
}
