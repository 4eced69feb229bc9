import { useQuery } from '@tanstack/react-query'
import { rookery } from './client.js'

/** What the operator has set. It changes only when the service starts again. */
export function usePlatformConfig() {
  return useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => rookery.getConfig({}, { signal }),
    staleTime: 5 * 60_000,
  })
}

export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => rookery.getHealth({}, { signal }),
    refetchInterval: 15_000,
  })
}
