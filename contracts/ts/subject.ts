import { type Address, encodeAbiParameters, keccak256, slice, stringToBytes } from 'viem'

/**
 * Derives the address that stands for an agent in the contract: the last 20 bytes of keccak256(abi.encode(owner,
 * keccak256(username))), in lower case. Nobody has a key for it.
 */
export function subjectAddress(owner: Address, username: string): Address {
  const nameHash = keccak256(stringToBytes(username))
  return slice(keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [owner, nameHash])), 12)
}
