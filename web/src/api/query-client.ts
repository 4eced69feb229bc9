import { RookeryError } from '@rookery/sdk'
import { QueryClient } from '@tanstack/react-query'

const MORE_ATTEMPTS = 2

/** Defines how long answers are cached and when calls are retried. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 20_000,
        retry: (failures, error) => failures < MORE_ATTEMPTS && mayPass(error),
        retryDelay: (failures) => 400 * 2 ** failures,
        // A service on this machine answers without a network, so call it even when the browser is offline.
        networkMode: 'always',
        // What failed is asked for again at once, however new the failure is.
        refetchOnReconnect: ({ state }) => (state.status === 'error' ? 'always' : true),
      },
      mutations: { networkMode: 'always' },
    },
  })
}

// A refusal is final; only a fault of the service or of the network may be temporary.
function mayPass(error: Error): boolean {
  return !(error instanceof RookeryError) || error.status >= 500
}
