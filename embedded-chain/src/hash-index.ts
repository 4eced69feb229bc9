/** Finds a block by its hash or by its transaction's hash. Memory: 64 bytes and four table entries per block. */
export interface HashIndex {
  /** The number of blocks in the index. */
  readonly size: number
  /** Adds the next blocks: for each the 32 bytes of its hash and of its transaction's hash, which is zero if it has none. */
  add(records: Buffer): void
  /** The number of the block, or undefined. */
  find(hash: string): number | undefined
}

export const INDEX_RECORD_BYTES = 64
const HASH_BYTES = 32
const NO_TRANSACTION = Buffer.alloc(HASH_BYTES)

/** The index record of a block. */
export function indexRecord(blockHash: string, transactionHash: string | undefined): Buffer {
  const transaction = transactionHash ? Buffer.from(transactionHash.slice(2), 'hex') : NO_TRANSACTION
  return Buffer.concat([Buffer.from(blockHash.slice(2), 'hex'), transaction])
}

/** An open-addressing table. The keys are hashes already, so they need no further hashing. */
export function createHashIndex(): HashIndex {
  let hashes = Buffer.alloc(INDEX_RECORD_BYTES * 1024)
  let used = 0
  let table = new Int32Array(4096)

  const hashAt = (entry: number) => hashes.subarray(entry * HASH_BYTES, (entry + 1) * HASH_BYTES)

  function place(entry: number): void {
    const hash = hashAt(entry)
    if (hash.equals(NO_TRANSACTION)) return
    let at = hash.readUInt32LE() & (table.length - 1)
    while (table[at] !== 0) at = (at + 1) & (table.length - 1)
    table[at] = entry + 1
  }

  function makeRoom(entries: number): void {
    if (entries * HASH_BYTES > hashes.length) {
      const larger = Buffer.alloc(Math.max(hashes.length * 2, entries * HASH_BYTES))
      hashes.copy(larger)
      hashes = larger
    }
    if (entries * 2 <= table.length) return
    table = new Int32Array(2 ** Math.ceil(Math.log2(entries * 4)))
    for (let entry = 0; entry < used; entry++) place(entry)
  }

  return {
    get size() {
      return used / 2
    },
    add(records) {
      const entries = used + records.length / HASH_BYTES
      makeRoom(entries)
      records.copy(hashes, used * HASH_BYTES)
      while (used < entries) place(used++)
    },
    find(text) {
      if (!/^0x[0-9a-f]{64}$/i.test(text)) return undefined
      const hash = Buffer.from(text.slice(2), 'hex')
      for (let at = hash.readUInt32LE() & (table.length - 1); ; at = (at + 1) & (table.length - 1)) {
        const entry = (table[at] ?? 0) - 1
        if (entry < 0) return undefined
        if (hashAt(entry).equals(hash)) return entry >> 1
      }
    },
  }
}
