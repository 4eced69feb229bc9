import { Problem } from '../../base/problem.js'
import type { Person } from '../../foundation/db/visibility.js'

/** The wallet that a person has signed in with. An owner may have none. */
export function requireWallet({ wallet }: Person): `0x${string}` {
  if (wallet === null) throw new Problem('WALLET_REQUIRED')
  return wallet
}
