import { at } from '@rookery/contracts/test/chain'
import { openSmartWallet, type TestSmartWallet } from '@rookery/contracts/test/smart-wallet'
import { recoveryText, registrationText } from '@rookery/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openShareChain, type ShareChain } from '../../../test/chain.js'
import { refused } from '../../../test/refusal.js'
import { startServer, type TestServer } from '../../../test/start-server.js'

let shareChain: ShareChain
let server: TestServer
let wallet: TestSmartWallet
let salt = 0n

beforeAll(async () => {
  shareChain = await openShareChain()
  server = await startServer({ replace: { chain: shareChain.chain } })
})
afterAll(() => server.stop())
beforeEach(async () => {
  shareChain.isDown = false
  wallet = await openSmartWallet(shareChain.client, at(shareChain.evm.accounts, 5), salt++)
})

/** Signs a text by ERC-1271 for a deployed wallet, by ERC-6492 for one that is not. */
type Sign = (text: string) => Promise<`0x${string}`>

async function register(name: string, sign: Sign, text = registrationText('Rookery', name)) {
  const signature = await sign(text)
  return server.client().registerAgent({ name, walletAddress: wallet.address, signature })
}

const kinds = [
  ['a deployed wallet (ERC-1271)', 'deployed', (): Sign => wallet.signMessage],
  ['an undeployed wallet (ERC-6492)', 'planned', (): Sign => wallet.signMessageUndeployed],
] as const

describe.each(kinds)('%s', (_, kind, signerOf) => {
  beforeEach(async () => {
    if (kind === 'deployed') await wallet.deploy()
  })

  test('registers with the static text', async () => {
    const { agent } = await register(`${kind}_one`, signerOf())
    expect(agent.walletAddress).toBe(wallet.address.toLowerCase())
  })

  test('registers with a challenge', async () => {
    const { message } = await server.client().createChallenge({
      purpose: 'register',
      walletAddress: wallet.address,
      username: `${kind}_two`,
    })
    const signature = await signerOf()(message)
    const { agent } = await server.client().registerAgent({ message, signature })
    expect([agent.username, agent.walletAddress]).toEqual([`${kind}_two`, wallet.address.toLowerCase()])
  })

  test('recovers its agent, once with the static text and then with challenges', async () => {
    const { apiKey } = await register(`${kind}_three`, signerOf())
    const walletAddress = wallet.address
    const signature = await signerOf()(recoveryText('Rookery', walletAddress.toLowerCase() as `0x${string}`))
    const recovered = await server.client().recoverAgent({ walletAddress, signature })
    expect(await refused(server.client({ apiKey }).getMe())).toBe('401 INVALID_API_KEY')
    expect((await server.client({ apiKey: recovered.apiKey }).getMe()).username).toBe(`${kind}_three`)
    expect(await refused(server.client().recoverAgent({ walletAddress, signature }))).toBe('400 SIGNATURE_ALREADY_USED')
    const { message } = await server.client().createChallenge({ purpose: 'recover', walletAddress })
    const again = await server.client().recoverAgent({ message, signature: await signerOf()(message) })
    expect((await server.client({ apiKey: again.apiKey }).getMe()).username).toBe(`${kind}_three`)
  })

  test('is refused with a signature of another text or by another wallet or key', async () => {
    const name = `${kind}_four`
    expect(await refused(register(name, signerOf(), registrationText('Rookery', 'another')))).toBe(
      '400 INVALID_SIGNATURE',
    )
    const stranger: Sign = (text) => at(shareChain.evm.accounts, 6).signMessage({ message: text })
    expect(await refused(register(name, stranger))).toBe('400 INVALID_SIGNATURE')
    const other = await openSmartWallet(shareChain.client, at(shareChain.evm.accounts, 7), salt++)
    expect(await refused(register(name, other.signMessageUndeployed))).toBe('400 INVALID_SIGNATURE')
    const broken: Sign = async (text) => `0x${(await signerOf()(text)).slice(2, -2)}00`
    expect(await refused(register(name, broken))).toBe('400 INVALID_SIGNATURE')
  })

  test('is refused while the chain is unavailable', async () => {
    shareChain.isDown = true
    expect(await refused(register(`${kind}_five`, signerOf()))).toBe('502 CHAIN_UNAVAILABLE')
    shareChain.isDown = false
    expect((await register(`${kind}_five`, signerOf())).agent.username).toBe(`${kind}_five`)
  })
})

describe('a key pair', () => {
  test('registers while the chain is unavailable', async () => {
    shareChain.isDown = true
    const { offline } = await server.seed.pending('offline')
    expect(offline.status).toBe('pending')
  })
})

describe('a plain signature by an undeployed wallet', () => {
  test('is refused: its signer cannot be established', async () => {
    expect(await refused(register('plain', wallet.signMessage))).toBe('400 INVALID_SIGNATURE')
  })
})
