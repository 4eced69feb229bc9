import type { Block } from './newest-block.js'

/** Reads a number of the state after a block, or repeats what was read of it before. */
export type ReadKept = (block: Block, what: string, read: () => Promise<bigint>) => Promise<bigint>

const MOST = 10_000

/**
 * Keeps what was read of the state after the newest block, until there is another one: a state never changes. A block is
 * recognized by its hash, because another one may take its number. What could not be read is not kept.
 */
export function createKeptState(most = MOST): ReadKept {
  let newest: string | undefined
  let kept = new Map<string, Promise<bigint>>()

  return (block, what, read) => {
    if (block.hash === undefined) return read()
    if (block.hash !== newest) kept = new Map()
    newest = block.hash
    const known = kept.get(what)
    if (known || kept.size >= most) return known ?? read()
    const values = kept
    const value = read()
    values.set(what, value)
    value.catch(() => values.delete(what))
    return value
  }
}
