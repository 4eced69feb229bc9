import type { Client } from '@rookery/sdk'
import type { NamedEndpoint } from './choose.js'

const OF_THE_CHAIN: ReadonlySet<string> = new Set(['requestFaucet', 'getLocalWallet', 'sendLocalTransaction'])

/** Finds out by the service's configuration whether it has an endpoint: stand-ins exist only where nothing is real. */
export function createServedCheck(client: Client): (named: NamedEndpoint) => Promise<boolean> {
  let features: Promise<{ readonly faucet: boolean; readonly socialNetwork: string }> | undefined
  return async ({ name, endpoint }) => {
    if (endpoint.tag !== 'local') return true
    features ??= client.getConfig().then(({ features }) => features)
    // An unreachable service is asked again the next time.
    const found = await features.catch(() => (features = undefined))
    return OF_THE_CHAIN.has(name) ? found?.faucet === true : found?.socialNetwork === 'local'
  }
}
