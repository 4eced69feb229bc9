import { type Address, encodeAbiParameters, keccak256, toHex } from 'viem'
import type { Market } from './market.js'

/** The storage slot of the mapping from subject to agent, which follows the five variables of Protocol. */
const AGENTS_SLOT = 5n

/** The first slot of an agent holds its supply in the lowest 64 bits. */
const SUPPLY_MASK = 2n ** 64n - 1n

/** Writes an agent's supply straight into storage, to reach supplies that would cost too much to buy. */
export async function setSupply({ client, shares }: Market, subject: Address, supply: bigint): Promise<void> {
  const slot = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [subject, AGENTS_SLOT]))
  const word = BigInt((await client.getStorageAt({ address: shares.address, slot })) ?? 0n)
  if ((word & SUPPLY_MASK) !== (await shares.read.sharesSupply([subject])))
    throw new Error('the storage layout changed')
  const value = toHex((word & ~SUPPLY_MASK) | supply, { size: 32 })
  await client.setStorageAt({ address: shares.address, index: slot, value })
}
