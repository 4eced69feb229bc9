import { toHex } from 'viem'
import { WrongAccount } from '../../wallet/failure.js'
import type { Provider } from '../../wallet/provider.js'

/** Has a browser wallet sign a text with one of its addresses. */
export async function signWith(wallet: Provider, message: string, address: string): Promise<`0x${string}`> {
  const accounts = (await wallet.request({ method: 'eth_requestAccounts' })) as string[]
  if (!accounts.some((account) => account.toLowerCase() === address.toLowerCase()))
    throw new WrongAccount(`Select the agent’s account ${address} there, then try again.`)
  return (await wallet.request({ method: 'personal_sign', params: [toHex(message), address] })) as `0x${string}`
}
