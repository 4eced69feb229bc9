import type { PlatformConfig } from '@rookery/api'
import type { Deps } from '../../deps.js'

type ChainView = NonNullable<PlatformConfig['chain']>

const BNB = { name: 'BNB', symbol: 'BNB', decimals: 18 }
const TEST_BNB = { name: 'Test BNB', symbol: 'tBNB', decimals: 18 }

const publicChains: Readonly<Record<number, Omit<ChainView, 'id' | 'contract'>>> = {
  56: {
    name: 'BNB Smart Chain',
    rpcUrl: 'https://bsc-dataseed.bnbchain.org',
    explorerUrl: 'https://bscscan.com',
    nativeCurrency: BNB,
  },
  97: {
    name: 'BNB Smart Chain Testnet',
    rpcUrl: 'https://bsc-testnet-dataseed.bnbchain.org',
    explorerUrl: 'https://testnet.bscscan.com',
    nativeCurrency: TEST_BNB,
  },
}

/** The chain's parameters for clients. */
export function chainView({ config, chain, embeddedChain }: Deps): PlatformConfig['chain'] {
  if (!chain) return null
  const { id, contract } = chain
  if (embeddedChain) {
    const rpcUrl = config.CHAIN_PUBLIC_RPC_URL ?? embeddedChain.rpcUrl
    return { id, name: 'Rookery test chain', rpcUrl, contract, explorerUrl: null, nativeCurrency: TEST_BNB }
  }
  const other = { name: `Chain ${id}`, rpcUrl: config.CHAIN_RPC_URL ?? '', explorerUrl: null, nativeCurrency: BNB }
  const view = publicChains[id] ?? other
  return { id, contract, ...view, ...(config.CHAIN_PUBLIC_RPC_URL && { rpcUrl: config.CHAIN_PUBLIC_RPC_URL }) }
}
