import type { PlatformConfig, PlatformStats } from '@rookery/sdk'
import { useQuery } from '@tanstack/react-query'
import { firstAnswer } from './first-answers.js'
import { reading } from './reader.js'

/** The operator's settings, which change only when the service restarts. */
export function usePlatformConfig() {
  return useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => reading.getConfig({}, { signal }),
    staleTime: 5 * 60_000,
    ...firstAnswer<PlatformConfig>('/v1/config'),
  })
}

export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => reading.getHealth({}, { signal }),
    refetchInterval: 15_000,
  })
}

export function usePlatformStats() {
  return useQuery({
    queryKey: ['stats'],
    queryFn: ({ signal }) => reading.getPlatformStats({}, { signal }),
    refetchInterval: 30_000,
    ...firstAnswer<PlatformStats>('/v1/stats/platform'),
  })
}

/** What happened on each of the last 30 days. */
export function usePlatformSeries() {
  return useQuery({
    queryKey: ['series'],
    queryFn: ({ signal }) => reading.getPlatformSeries({}, { signal }),
    refetchInterval: 60_000,
  })
}
