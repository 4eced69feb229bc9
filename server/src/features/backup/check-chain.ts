import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../base/clock.js'
import type { ChainState } from '../../foundation/chain/cursor.js'
import type { Manifest as ChainManifest } from '../../foundation/chain/embedded-manifest.js'
import { BackupError } from './backup-error.js'
import type { ChainFacts } from './manifest.js'

/**
 * Opens the copy of a chain and replays its journal, which has to come to the hashes that are noted in it. The block up
 * to which the database has followed has to be there: the service catches up with a chain that is ahead of the
 * database, but would take trades back that are missing in the chain.
 */
export async function checkChain(folder: string, cursor: ChainState | undefined): Promise<ChainFacts> {
  const { operator } = JSON.parse(await readFile(join(folder, 'chain.json'), 'utf8')) as ChainManifest
  // The EVM takes a while to load.
  const { createGenesis } = await import('../../foundation/chain/embedded-genesis.js')
  const { openNode } = await import('../../foundation/chain/embedded-node.js')
  const { createMethods } = await import('../../foundation/chain/embedded-methods.js')
  const node = await openNode({
    folder,
    genesis: await createGenesis(operator),
    clock: systemClock,
    compactAfter: Number.POSITIVE_INFINITY,
    onProgress: () => {},
    onBlocks: () => {},
    onFailure: () => {},
  }).catch((error: Error) => {
    throw unusable(error.message)
  })
  try {
    const { number, hash } = node.head
    if (cursor && cursor.hash !== null) {
      const block = await createMethods(node)('eth_getBlockByNumber', [`0x${cursor.number.toString(16)}`])
      if ((block as { hash?: string } | null)?.hash !== cursor.hash)
        throw unusable(`the database knows block ${cursor.number}, which is not in it`)
    }
    return { block: number, hash }
  } finally {
    // Not the node: it would compact what was copied.
    await node.ledger.close()
    await rm(join(folder, 'cache'), { recursive: true, force: true, maxRetries: 5 })
  }
}

function unusable(why: string): BackupError {
  return new BackupError(`The copy of the chain cannot be used: ${why}`)
}
