import type { NetworkMap } from '@rookery/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { reading } from '../../api/reader.js'
import { useLive } from '../../live/live.js'
import type { LiveConnection } from './network.js'

const RENEW_MS = 30_000
const SOON_MS = 3_000

/** The map, renewed every now and then: an unchanged one costs an empty answer. */
export function useMap() {
  return useQuery<NetworkMap>({
    queryKey: ['map'],
    queryFn: ({ signal }) => reading.getMap({}, { signal }),
    refetchInterval: RENEW_MS,
  })
}

/**
 * Reports connections as they happen. `onConnection` returns whether both agents are on the map; if not, the map is fetched
 * anew soon.
 */
export function useConnections(onConnection: (connection: LiveConnection) => boolean): void {
  const queries = useQueryClient()
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(later.current), [])

  function report(connection: LiveConnection): void {
    if (onConnection(connection) || later.current !== undefined) return
    later.current = setTimeout(() => {
      later.current = undefined
      void queries.invalidateQueries({ queryKey: ['map'] })
    }, SOON_MS)
  }

  useLive(['follows', 'trades'], (event) => {
    if (event.type === 'follow.created')
      report({ kind: 'follow', from: event.data.follower.username, to: event.data.followed.username })
    if (event.type !== 'trade.pending') return
    const { action, trader, subject } = event.data
    if (action === 'bought' && trader.username !== null && subject.username !== null)
      report({ kind: 'holding', from: trader.username, to: subject.username })
  })
}
