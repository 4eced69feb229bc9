import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config/config.js'
import type { Deps } from '../../deps.js'
import { chainView } from './chain-view.js'

const CONTRACT = '0x00000000000000000000000000000000000000aa'
const KEYED = 'https://provider.example/v1/secret-key'

/** The view that clients get when the service has this chain. */
function viewOf(env: Record<string, string>) {
  const config = readConfig({ CONTRACT_ADDRESS: CONTRACT, SOCIAL_NETWORK: 'x-oembed', ...env })
  const chain = { id: config.chainId, contract: CONTRACT }
  return chainView({ config, chain, embeddedChain: undefined } as unknown as Deps)
}

describe('the chain in GET /v1/config', () => {
  test.each([
    ['56', 'BNB Smart Chain', 'https://bscscan.com'],
    ['97', 'BNB Smart Chain Testnet', 'https://testnet.bscscan.com'],
  ])('is recognised by its id %s, and the provider’s key stays secret', (CHAIN_ID, name, explorerUrl) => {
    const view = viewOf({ CHAIN_RPC_URL: KEYED, CHAIN_ID })
    expect(view).toMatchObject({ id: Number(CHAIN_ID), name, explorerUrl, contract: CONTRACT })
    expect(view?.rpcUrl).not.toContain('secret-key')
  })

  test('has the URL that clients should use', () => {
    const CHAIN_PUBLIC_RPC_URL = 'https://open.example/'
    for (const CHAIN_ID of ['56', '1234'])
      expect(viewOf({ CHAIN_RPC_URL: KEYED, CHAIN_ID, CHAIN_PUBLIC_RPC_URL })?.rpcUrl).toBe(CHAIN_PUBLIC_RPC_URL)
  })

  test('has our own URL only where that cannot contain a key', () => {
    expect(viewOf({ CHAIN_RPC_URL: 'http://localhost:8545', CHAIN_ID: '1234' })?.rpcUrl).toBe('http://localhost:8545/')
    for (const CHAIN_RPC_URL of [KEYED, 'https://x.example/?key=1', 'https://me:secret@x.example'])
      expect(() => viewOf({ CHAIN_RPC_URL, CHAIN_ID: '1234' })).toThrow('CHAIN_PUBLIC_RPC_URL must be set')
  })

  test('is null without one', () => {
    expect(
      chainView({ config: readConfig({}), chain: undefined, embeddedChain: undefined } as unknown as Deps),
    ).toBeNull()
  })
})
