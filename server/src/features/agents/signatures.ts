import { type Hex, isAddressEqual, recoverAddress } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Chain } from '../../foundation/chain/chain.js'
import { countSharedCost } from '../../foundation/limits.js'

const EOA_SIGNATURE_LENGTH = 2 + 65 * 2

/** A signature, the hash that its standard derives from the signed data, and the claimed signer. */
export interface Signed {
  readonly address: `0x${string}`
  readonly hash: Hex
  readonly signature: Hex
}

/**
 * Throws unless the address made the signature. A key pair's signature is checked here; that of a smart-contract wallet,
 * deployed (ERC-1271) or not (ERC-6492), by a call to the chain.
 */
export async function requireSignature(chain: Chain | undefined, signed: Signed): Promise<void> {
  if (await isByKeyPair(signed)) return
  if (chain && (await isByContract(chain, signed))) return
  throw new Problem('INVALID_SIGNATURE')
}

/** The same for a caller that nobody knows yet, which counts against what all of those may cost together. */
export async function requireStrangersSignature(
  deps: Pick<Deps, 'chain' | 'limiter' | 'clock' | 'config'>,
  signed: Signed,
): Promise<void> {
  await countSharedCost(deps, 'signatures')
  await requireSignature(deps.chain, signed)
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
