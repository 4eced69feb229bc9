import { type Agent, RookeryError } from '@rookery/sdk'
import { useQuery } from '@tanstack/react-query'
import { reading } from '../../../api/reader.js'
import type { Address } from '../../../wallet/provider.js'
import { useSettled } from './use-settled.js'
import { wantedOf } from './wanted.js'

/** Whom a text names: an agent and its wallet, or a wallet of nobody here. */
export interface Receiver {
  readonly address: Address
  readonly agent: { readonly username: string; readonly displayName: string } | undefined
}

/** Finds the wallet behind a text, and says what is wrong with it. */
export function useReceiver(text: string): { receiver?: Receiver; fault?: string; isLooking?: boolean } {
  const wanted = wantedOf(useSettled(text))
  const identifier = 'identifier' in wanted ? wanted.identifier : undefined
  const { data, error, isPending } = useQuery({
    queryKey: ['receiver', identifier],
    enabled: identifier !== undefined,
    retry: false,
    queryFn: ({ signal }) =>
      wanted.kind === 'name' ? findByName(identifier, signal) : findByAddress(identifier, signal),
  })
  if (wanted.kind === 'nothing') return {}
  if (wanted.kind === 'unclear') return { fault: 'Enter an agent’s @name, or an address: 0x followed by 40 hex digits' }
  if (isPending) return { isLooking: true }
  if (error) return { fault: error.message }
  if (wanted.kind === 'name')
    return !data
      ? { fault: `No agent is called @${identifier}` }
      : { receiver: { address: data.walletAddress as Address, agent: data } }
  if (data && data.walletAddress !== identifier)
    return { fault: `This address stands for @${data.username} in the contract. Enter @${data.username} instead` }
  return { receiver: { address: identifier as Address, agent: data ?? undefined } }
}

// By a list, which has no answer for an unknown name but is no failure.
async function findByName(name = '', signal: AbortSignal): Promise<Agent | null> {
  const { data } = await reading.listAgents({ ids: name }, { signal })
  return data.find(({ username }) => username === name) ?? null
}

function findByAddress(identifier = '', signal: AbortSignal): Promise<Agent | null> {
  return reading.getAgent({ identifier }, { signal }).catch((error) => {
    if (error instanceof RookeryError && error.code === 'AGENT_NOT_FOUND') return null
    throw error
  })
}
