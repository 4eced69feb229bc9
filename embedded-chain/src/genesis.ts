import { encodeDeployPriceFeed, encodeDeployShares } from '@rookery/contracts'
import { type Address, getContractAddress, type Hex, keccak256, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { EMBEDDED_CHAIN_ID } from './chain-id.js'
import type { Genesis } from './manifest.js'

// A test chain has no secrets: this account's key is public, and its money is worth nothing.
const BANK: PrivateKeyAccount = privateKeyToAccount(keccak256(toHex('the bank of the embedded Rookery chain')))
const BANK_BALANCE_WEI = 10n ** 27n
const BNB_USD = 650_00000000n
const DEPLOY_GAS = 5_000_000n

/** The account that deploys the contracts, receives the protocol's fees and fills wallets. */
export const bank = BANK

/** The addresses of the contracts on every embedded chain. */
export const embeddedContracts = {
  contract: getContractAddress({ from: BANK.address, nonce: 0n }).toLowerCase() as Address,
  priceFeed: getContractAddress({ from: BANK.address, nonce: 1n }).toLowerCase() as Address,
}

/** Creates a new chain: the share contract with this operator, and a BNB/USD feed. */
export async function createGenesis(operator: Address): Promise<Genesis> {
  const code = [
    encodeDeployShares({ operator, protocolFeeDestination: BANK.address }),
    encodeDeployPriceFeed({ answer: BNB_USD }),
  ]
  return {
    operator: operator.toLowerCase() as Hex,
    accounts: [{ address: BANK.address.toLowerCase() as Hex, balance: toHex(BANK_BALANCE_WEI) }],
    transactions: await Promise.all(code.map((data, nonce) => signByBank({ nonce, data, gas: DEPLOY_GAS }))),
  }
}

/** Signs a transaction of the bank. */
export function signByBank(transaction: {
  nonce: number
  gas: bigint
  to?: Address
  value?: bigint
  data?: Hex
}): Promise<Hex> {
  return BANK.signTransaction({
    ...transaction,
    type: 'eip1559',
    chainId: EMBEDDED_CHAIN_ID,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  })
}
