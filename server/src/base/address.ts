import { Problem } from './problem.js'

const ADDRESS = /^0x[0-9a-f]{40}$/i

/** The wallet that a path names, in lower case. Every address is a wallet; any other text names none. */
export function getWalletAddress(text: string): `0x${string}` {
  if (!ADDRESS.test(text)) throw new Problem('NOT_FOUND', { message: 'No wallet has this address.' })
  return text.toLowerCase() as `0x${string}`
}
