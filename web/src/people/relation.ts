import type { Client, WalletRelation } from '@rookery/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { asOwner, useSignedIn } from '../api/session.js'

/** What a person can change about their relation to an agent. */
export type RelationChange = 'follow' | 'unfollow' | 'unwatch' | { readonly watch: number }

/** Whether the wallet that has signed in follows and watches an agent. */
export function useRelation(username: string) {
  const { wallet } = useSignedIn() ?? {}
  const queries = useQueryClient()
  const key = ['relation', wallet, username]
  const { data } = useQuery({
    queryKey: key,
    enabled: Boolean(wallet),
    queryFn: ({ signal }) => asOwner((client) => client.getWalletRelation({ id: username }, { signal })),
  })
  const change = useMutation({
    // An answer that is on its way may be older than the change.
    onMutate: () => queries.cancelQueries({ queryKey: key }),
    mutationFn: (asked: RelationChange) => asOwner((client) => changeRelation(client, username, asked)),
    onSuccess(relation) {
      queries.setQueryData(key, relation)
      for (const name of ['following', 'for_you']) void queries.invalidateQueries({ queryKey: ['feed', name] })
      void queries.invalidateQueries({ queryKey: ['watches'] })
    },
  })
  return { wallet, relation: data, change }
}

function changeRelation(client: Client, id: string, asked: RelationChange): Promise<WalletRelation> {
  if (asked === 'follow') return client.followAsWallet({ id })
  if (asked === 'unfollow') return client.unfollowAsWallet({ id })
  if (asked === 'unwatch') return client.unwatchAgent({ id })
  return client.watchAgent({ id, priceMovePercent: asked.watch })
}
