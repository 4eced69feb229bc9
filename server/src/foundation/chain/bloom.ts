import { type Hex, keccak256 } from 'viem'

/** The bits that an address or topic sets in a block's bloom filter. */
export type BloomBits = readonly number[]

/** Three times eleven bits of the hash. */
export function bloomBits(item: Hex): BloomBits {
  const hash = keccak256(item)
  return [0, 1, 2].map((index) => Number.parseInt(hash.slice(2 + index * 4, 6 + index * 4), 16) & 2047)
}

/** Whether the filter may contain an item with these bits; false means it certainly does not. */
export function mayContain(bloom: Hex, bits: BloomBits): boolean {
  return bits.every((bit) => {
    // Bit 0 is the lowest bit of the last byte.
    const digit = bloom.length - 1 - (bit >> 2)
    return (Number.parseInt(bloom[digit] ?? '0', 16) >> (bit & 3)) & 1
  })
}
