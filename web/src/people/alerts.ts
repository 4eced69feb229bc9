import type { Alert, WalletWatch } from '@rookery/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type CursorList, useCursorList } from '../api/cursor-list.js'
import { asOwner, useSignedIn } from '../api/session.js'

const RENEW_MS = 30_000

/** How many alerts are unread; asked again while the page is visible. */
export function useUnreadAlerts(): number {
  const { wallet } = useSignedIn() ?? {}
  const { data } = useQuery({
    queryKey: ['alerts', wallet, 'unread'],
    enabled: Boolean(wallet),
    queryFn: ({ signal }) => asOwner((client) => client.countUnreadAlerts({}, { signal })),
    refetchInterval: RENEW_MS,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
  })
  return data?.count ?? 0
}

/** Newest first. */
export function useAlerts(wallet: string): CursorList<Alert> {
  return useCursorList<Alert>({
    key: ['alerts', wallet],
    load: (page, call) => asOwner((client) => client.listAlerts(page, call)),
    everyMs: RENEW_MS,
  })
}

/** Marks alerts read: those named, or all. */
export function useMarkRead() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (alertIds?: string[]) => asOwner((client) => client.markAlertsRead({ ...(alertIds && { alertIds }) })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['alerts'] }),
  })
}

export function useWatches(wallet: string): CursorList<WalletWatch> {
  return useCursorList<WalletWatch>({
    key: ['watches', wallet],
    load: (page, call) => asOwner((client) => client.listWatches(page, call)),
  })
}
