import { type Account, type Address, concat, type Hex, numberToHex, size, slice } from 'viem'
import { subjectAddress } from './subject.js'

/** A launch that the operator permits. */
export interface LaunchPermit {
  /** The only chain and AgentShares contract on which it is valid. */
  chainId: number
  contract: Address
  /** The wallet that may launch. */
  owner: Address
  /** The agent's username. */
  name: string
  /** The last second in which it is valid, in unix time. */
  deadline: bigint
}

/** The EIP-712 struct that the operator signs. */
export const launchPermitTypes = {
  Launch: [
    { name: 'subject', type: 'address' },
    { name: 'owner', type: 'address' },
    { name: 'name', type: 'string' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** Builds the EIP-712 typed data of a permit, in the form viem and wallets take. */
export function launchPermitTypedData({ chainId, contract, owner, name, deadline }: LaunchPermit) {
  return {
    domain: { name: 'AgentShares', version: '1', chainId, verifyingContract: contract },
    types: launchPermitTypes,
    primaryType: 'Launch',
    message: { subject: subjectAddress(owner, name), owner, name, deadline },
  } as const
}

/** Signs a permit with the operator's account and encodes it for `launch`. */
export async function signLaunchPermit(operator: Pick<Account, 'signTypedData'>, permit: LaunchPermit): Promise<Hex> {
  if (!operator.signTypedData) throw new TypeError('the operator account cannot sign typed data')
  return encodePermit(await operator.signTypedData(launchPermitTypedData(permit)), permit.deadline)
}

/**
 * Encodes the `signature` argument of `launch`: the 65 bytes r, s, v of the operator's signature, then the 32 bytes of the
 * deadline. Exactly 97 bytes; the contract rejects any other length.
 */
export function encodePermit(signature: Hex, deadline: bigint): Hex {
  if (size(signature) !== 65) throw new RangeError(`a signature has 65 bytes, not ${size(signature)}`)
  return concat([signature, numberToHex(deadline, { size: 32 })])
}

/** Reverses `encodePermit`. */
export function decodePermit(permit: Hex): { signature: Hex; deadline: bigint } {
  if (size(permit) !== 97) throw new RangeError(`a permit has 97 bytes, not ${size(permit)}`)
  return { signature: slice(permit, 0, 65), deadline: BigInt(slice(permit, 65)) }
}
