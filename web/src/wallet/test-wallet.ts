import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { rookery } from '../api/client.js'
import type { Address, Hash, Outcome, Wallet } from './provider.js'
import { storedKey, storeKey } from './remembered.js'

/**
 * Opens this browser’s own wallet on the embedded chain, and has the faucet fill it when it is new. Its key is in the
 * browser’s storage: the money is play money and exists only on that chain.
 */
export async function openTestWallet(chainId: number): Promise<Wallet> {
  const key = storedKey() ?? generatePrivateKey()
  storeKey(key)
  const account = privateKeyToAccount(key)
  const address = account.address.toLowerCase() as Address
  const outcomes = new Map<Hash, Outcome>()
  const read = () => rookery.getLocalWallet({ address })
  if (BigInt((await read()).balanceWei) === 0n) await rookery.requestFaucet({ address })
  return {
    kind: 'test',
    name: 'Test wallet',
    address,
    chainId,
    connection: {
      balance: async () => BigInt((await read()).balanceWei),
      sign: (message) => account.signMessage({ message }),
      async send({ to, data, value, gasLimit, chainId }) {
        const { nonce, gasPriceWei } = await read()
        const transaction = await account.signTransaction({
          type: 'legacy',
          to,
          data,
          value: BigInt(value),
          gas: BigInt(gasLimit),
          gasPrice: BigInt(gasPriceWei),
          nonce,
          chainId,
        })
        const { transactionHash, status } = await rookery.sendLocalTransaction({ transaction })
        outcomes.set(transactionHash, status)
        return transactionHash
      },
      // The embedded chain mines a transaction before it answers.
      outcome: async (hash) => outcomes.get(hash) ?? 'success',
      switchTo: async () => {},
      close: () => {},
    },
  }
}
