import { RookeryError } from '@rookery/sdk'
import { QueryClient } from '@tanstack/react-query'

const MORE_ATTEMPTS = 2

/** What the page remembers of the service, and when it asks again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 20_000,
        retry: (failures, error) => failures < MORE_ATTEMPTS && mayPass(error),
        retryDelay: (failures) => 400 * 2 ** failures,
        // A service on this machine answers without a network, so it is asked whatever the browser thinks of the network.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

// Refusals stay refusals; only a fault of the service or of the way to it may pass by itself.
function mayPass(error: Error): boolean {
  return !(error instanceof RookeryError) || error.status >= 500
}
