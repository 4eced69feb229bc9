import { type Address, type Hex, hexToNumber, parseEther } from 'viem'
import type { Bank } from './genesis.js'

/** What the faucet sends. */
export const FAUCET_WEI = parseEther('10')

const FAUCET_GAS = 100_000n

/** Sends test BNB; resolves with the transaction's hash when it is mined. */
export type Faucet = (address: Address) => Promise<Hex>

/** Makes a faucet that fills wallets from the bank by calls to the chain. */
export function createFaucet(
  bank: Bank,
  call: (method: string, params: readonly unknown[]) => Promise<unknown>,
): Faucet {
  let lastGift: Promise<unknown> = Promise.resolve()

  async function give(to: Address): Promise<Hex> {
    const nonce = hexToNumber((await call('eth_getTransactionCount', [bank.address, 'latest'])) as Hex)
    const transaction = await bank.sign({ nonce, to, value: FAUCET_WEI, gas: FAUCET_GAS })
    return (await call('eth_sendRawTransaction', [transaction])) as Hex
  }

  return (address) => {
    // One after another, so that each uses the next nonce.
    const gift = lastGift.then(() => give(address))
    lastGift = gift.catch(() => {})
    return gift
  }
}
