import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  agentSharesAbi,
  encodeBuy,
  encodeLaunch,
  encodeSell,
  GAS_LIMITS,
  quoteBuy,
  signLaunchPermit,
  subjectAddress,
} from '@rookery/contracts'
import {
  type Account,
  type Address,
  type Chain,
  type Client,
  createWalletClient,
  type Hex,
  http,
  type PublicActions,
  parseEther,
  publicActions,
  type Transport,
  type WalletActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { hardhat } from 'viem/chains'
import { createBank, PUBLIC_BANK_KEY } from '../src/genesis.js'
import { type EmbeddedChain, type EmbeddedChainOptions, startEmbeddedChain } from '../src/start-chain.js'

/** The account that permits launches in tests. */
export const operator = privateKeyToAccount('0x00000000000000000000000000000000000000000000000000000000000000aa')

/** The account that deploys, receives fees and fills wallets in tests, also on the chains of old releases. */
export const bank = createBank(PUBLIC_BANK_KEY)

/** A wallet of a test, with a client that signs for it. */
export type Wallet = Client<
  Transport,
  Chain,
  Account,
  undefined,
  PublicActions<Transport, Chain, Account> & WalletActions<Chain, Account>
>

/** Creates a data folder for a test. */
export async function makeDataDir(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-chain-'))
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Starts the embedded chain and waits until it answers. */
export async function startChain(dataDir: string, more: Partial<EmbeddedChainOptions> = {}): Promise<EmbeddedChain> {
  const log = { info: () => {}, error: () => {} }
  const chain = await startEmbeddedChain({
    dataDir,
    port: 0,
    operator: operator.address,
    bankKey: PUBLIC_BANK_KEY,
    log,
    ...more,
  })
  await chain.ready
  return chain
}

/** Creates a client of the chain with a new account. */
export function walletOn({ rpcUrl }: Pick<EmbeddedChain, 'rpcUrl'>, key: Hex = generatePrivateKey()): Wallet {
  const transport = http(rpcUrl, { retryCount: 0 })
  const account: Account = privateKeyToAccount(key)
  const chain: Chain = hardhat
  return createWalletClient({ account, chain, transport, pollingInterval: 10, cacheTime: 0 }).extend(publicActions)
}

/** Creates a wallet with test BNB from the faucet. */
export async function fundedWallet(chain: EmbeddedChain, key?: Hex): Promise<Wallet> {
  const wallet = walletOn(chain, key)
  await chain.faucet(wallet.account.address)
  return wallet
}

/** Launches an agent of the wallet with five shares and returns its subject. */
export async function launch({ contract }: EmbeddedChain, wallet: Wallet, name: string): Promise<Address> {
  const owner = wallet.account.address
  const subject = subjectAddress(owner, name)
  const permit = await signLaunchPermit(operator, { chainId: 31_337, contract, owner, name, deadline: 10n ** 10n })
  const data = encodeLaunch({ subject, name, permit, amount: 5n })
  const value = quoteBuy(0n, 5n).priceAfterFeeWei
  await waitUntilMined(wallet, await wallet.sendTransaction({ to: contract, data, value, gas: GAS_LIMITS.launch }))
  return subject
}

export async function buy({ contract }: EmbeddedChain, wallet: Wallet, subject: Address): Promise<Hex> {
  const data = encodeBuy({ subject, amount: 1n })
  return waitUntilMined(
    wallet,
    await wallet.sendTransaction({ to: contract, data, value: parseEther('1'), gas: GAS_LIMITS.buy }),
  )
}

export async function sell({ contract }: EmbeddedChain, wallet: Wallet, subject: Address): Promise<Hex> {
  const data = encodeSell({ subject, amount: 1n })
  return waitUntilMined(wallet, await wallet.sendTransaction({ to: contract, data, gas: GAS_LIMITS.sell }))
}

/** Reads the supply of shares and the wallet's balance. */
export async function sharesOf({ contract }: EmbeddedChain, wallet: Wallet, subject: Address) {
  const at = { address: contract, abi: agentSharesAbi }
  return {
    supply: await wallet.readContract({ ...at, functionName: 'sharesSupply', args: [subject] }),
    balance: await wallet.readContract({
      ...at,
      functionName: 'sharesBalance',
      args: [subject, wallet.account.address],
    }),
  }
}

async function waitUntilMined(wallet: Wallet, hash: Hex): Promise<Hex> {
  const { status } = await wallet.getTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`the transaction ${hash} reverted`)
  return hash
}
