import { toHex } from 'viem'

/** What a wallet in the browser offers (EIP-1193). */
interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

function injected(): Provider | undefined {
  return (window as { ethereum?: Provider }).ethereum
}

/** Whether there is a wallet in this browser. */
export function hasWallet(): boolean {
  return injected() !== undefined
}

/** Has the wallet in the browser sign a text with one of its addresses. */
export async function signWithWallet(message: string, address: string): Promise<`0x${string}`> {
  const wallet = injected()
  if (!wallet) throw new Error('There is no wallet in this browser.')
  const accounts = (await wallet.request({ method: 'eth_requestAccounts' })) as string[]
  if (!accounts.some((account) => account.toLowerCase() === address.toLowerCase()))
    throw new Error(`Choose the agent’s wallet ${address} in your wallet, then try again.`)
  return (await wallet.request({ method: 'personal_sign', params: [toHex(message), address] })) as `0x${string}`
}
