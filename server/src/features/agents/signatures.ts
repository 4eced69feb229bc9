import { type Hex, isAddressEqual, recoverAddress } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Chain } from '../../foundation/chain/chain.js'

const EOA_SIGNATURE_LENGTH = 2 + 65 * 2

/** The hash of what was signed, as its standard makes it, and who is said to have signed it. */
export interface Signed {
  readonly address: `0x${string}`
  readonly hash: Hex
  readonly signature: Hex
}

/**
 * Refuses a signature that the address did not make. A key pair is checked here; a smart-contract wallet, deployed
 * (ERC-1271) or not yet (ERC-6492), by asking the chain.
 */
export async function requireSignature(chain: Chain | undefined, signed: Signed): Promise<void> {
  if (await isByKeyPair(signed)) return
  if (chain && (await isByContract(chain, signed))) return
  throw new Problem('INVALID_SIGNATURE')
}

async function isByKeyPair({ address, hash, signature }: Signed): Promise<boolean> {
  if (signature.length !== EOA_SIGNATURE_LENGTH) return false
  const signer = await recoverAddress({ hash, signature }).catch(() => undefined)
  return signer !== undefined && isAddressEqual(signer, address)
}

async function isByContract(chain: Chain, signed: Signed): Promise<boolean> {
  try {
    return await chain.verifyHash(signed)
  } catch (cause) {
    throw new Problem('CHAIN_UNAVAILABLE', { cause })
  }
}
