import type { Db } from '../db/db.js'
import { listHashes, type Mark } from './cursor.js'
import type { BlockReader } from './read-blocks.js'

const COMPARED_AT_ONCE = 50

/** Where the database and the chain diverge. */
export interface CommonAncestor {
  /** The newest block that both have; undefined when they diverge further back than hashes are kept. */
  readonly ancestor: Mark | undefined
  /** Whether it is the newest block of the database, so that none is known to differ. */
  readonly isNewest: boolean
}

/** Compares the stored hashes with the chain, from a block backwards. */
export async function findCommonAncestor(
  db: Db,
  reader: Pick<BlockReader, 'headers'>,
  upTo: number,
): Promise<CommonAncestor> {
  const kept = await listHashes(db, upTo)
  for (let start = 0; start < kept.length; start += COMPARED_AT_ONCE) {
    const part = kept.slice(start, start + COMPARED_AT_ONCE)
    const headers = await reader.headers(part.map(({ number }) => number))
    const index = part.findIndex(({ hash }, i) => headers[i]?.hash === hash)
    if (index >= 0) return { ancestor: part[index], isNewest: start + index === 0 }
  }
  return { ancestor: undefined, isNewest: false }
}
