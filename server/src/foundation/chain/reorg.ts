import type { Db } from '../db/db.js'
import { listHashes, type Mark } from './cursor.js'
import type { BlockReader } from './read-blocks.js'

const COMPARED_AT_ONCE = 50

/** Where the database and the chain part. */
export interface CommonAncestor {
  /** The newest block that both have; none when they part further back than hashes are kept. */
  readonly ancestor: Mark | undefined
  /** Whether no newer block of the database is known to differ. */
  readonly isNewest: boolean
}

/** Compares the kept hashes with the chain, from a block back. */
export async function findCommonAncestor(
  db: Db,
  reader: Pick<BlockReader, 'headers'>,
  upTo: number,
): Promise<CommonAncestor> {
  const kept = await listHashes(db, upTo)
  for (let start = 0; start < kept.length; start += COMPARED_AT_ONCE) {
    const part = kept.slice(start, start + COMPARED_AT_ONCE)
    const headers = await reader.headers(part.map((it) => it.number))
    const index = part.findIndex((it, i) => headers[i]?.hash === it.hash)
    if (index >= 0) return { ancestor: part[index], isNewest: start + index === 0 }
  }
  return { ancestor: undefined, isNewest: false }
}
