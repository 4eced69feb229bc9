import { encodeDeployPriceFeed, encodeDeployShares } from '@rookery/contracts'
import { type Address, getContractAddress, type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { EMBEDDED_CHAIN_ID } from './chain-id.js'
import type { Genesis } from './manifest.js'

const BANK_BALANCE_WEI = 10n ** 27n
const BNB_USD = 650_00000000n
const DEPLOY_GAS = 5_000_000n

/** The account that deploys the contracts, receives the protocol's fees and fills wallets. */
export interface Bank {
  readonly address: Address
  /** The addresses of the contracts, which follow from its own. */
  readonly contracts: { readonly contract: Address; readonly priceFeed: Address }
  sign(transaction: BankTransaction): Promise<Hex>
}

export interface BankTransaction {
  readonly nonce: number
  readonly gas: bigint
  readonly to?: Address
  readonly value?: bigint
  readonly data?: Hex
}

/**
 * The key of the bank of chains that are older than keys of their own. Everybody can read it here, and so take the fees
 * of such a chain; it is kept because a chain cannot change its bank.
 */
export const PUBLIC_BANK_KEY: Hex = keccak256(toHex('the bank of the embedded Rookery chain'))

export function createBank(key: Hex): Bank {
  const account = privateKeyToAccount(key)
  const contractAt = (nonce: bigint) => getContractAddress({ from: account.address, nonce }).toLowerCase() as Address
  return {
    address: account.address,
    contracts: { contract: contractAt(0n), priceFeed: contractAt(1n) },
    sign: (transaction) =>
      account.signTransaction({
        ...transaction,
        type: 'eip1559',
        chainId: EMBEDDED_CHAIN_ID,
        maxFeePerGas: 0n,
        maxPriorityFeePerGas: 0n,
      }),
  }
}

/** Creates a new chain: the share contract with this operator, and a BNB/USD feed. */
export async function createGenesis(operator: Address, bank: Bank): Promise<Genesis> {
  const code = [
    encodeDeployShares({ operator, protocolFeeDestination: bank.address }),
    encodeDeployPriceFeed({ answer: BNB_USD }),
  ]
  return {
    operator: operator.toLowerCase() as Hex,
    accounts: [{ address: bank.address.toLowerCase() as Hex, balance: toHex(BANK_BALANCE_WEI) }],
    transactions: await Promise.all(code.map((data, nonce) => bank.sign({ nonce, data, gas: DEPLOY_GAS }))),
  }
}
