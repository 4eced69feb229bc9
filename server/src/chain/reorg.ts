import type { Db } from '../db/db.js'
import { listHashes, type Mark } from './cursor.js'
import type { BlockReader } from './read-blocks.js'

const COMPARED_AT_ONCE = 50

/**
 * The newest block that both the database and the chain have: from here on the chain took another way. None when they
 * part further back than hashes are kept.
 */
export async function findCommonAncestor(
  db: Db,
  reader: Pick<BlockReader, 'headers'>,
  upTo: number,
): Promise<Mark | undefined> {
  const kept = await listHashes(db, upTo)
  for (let start = 0; start < kept.length; start += COMPARED_AT_ONCE) {
    const part = kept.slice(start, start + COMPARED_AT_ONCE)
    const headers = await reader.headers(part.map((it) => it.number))
    const index = part.findIndex((it, i) => headers[i]?.hash === it.hash)
    if (index >= 0) return part[index]
  }
  return undefined
}
