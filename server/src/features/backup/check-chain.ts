import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest as ChainManifest } from '@rookery/embedded-chain/manifest'
import { ChainRefusal } from '@rookery/embedded-chain/refusal'
import { systemClock } from '../../base/clock.js'
import type { ChainState } from '../../foundation/chain/cursor.js'
import { explainChainRefusal } from '../../foundation/folder/chain-refusal.js'
import { BackupError } from './backup-error.js'
import type { ChainFacts } from './manifest.js'

/**
 * Opens the copy of a chain and replays its journal, which must produce the hashes that it records. The copy must contain
 * the last block that the database has followed: the service catches up with a chain that is ahead of the database, but
 * would undo trades that are missing from the chain.
 */
export async function checkChain(folder: string, cursor: ChainState | undefined): Promise<ChainFacts> {
  const { operator, accounts } = JSON.parse(await readFile(join(folder, 'chain.json'), 'utf8')) as ChainManifest
  // The EVM takes a while to load.
  const { openNode } = await import('@rookery/embedded-chain/node')
  const { createMethods } = await import('@rookery/embedded-chain/methods')
  const node = await openNode({
    folder,
    // Nothing is deployed anew, so the key of its bank is not needed.
    genesis: { operator, accounts, transactions: [] },
    clock: systemClock,
    compactAfter: Number.POSITIVE_INFINITY,
    onProgress: () => {},
    onBlocks: () => {},
    onFailure: () => {},
  }).catch((error: Error) => {
    throw unusable((error instanceof ChainRefusal ? explainChainRefusal(error) : error).message)
  })
  try {
    const { number, hash } = node.head
    if (cursor && cursor.hash !== null) {
      const block = await createMethods(node)('eth_getBlockByNumber', [`0x${cursor.number.toString(16)}`])
      if ((block as { hash?: string } | null)?.hash !== cursor.hash)
        throw unusable(`the database has followed block ${cursor.number}, which is not in it`)
    }
    return { block: number, hash }
  } finally {
    // Closes only the ledger; closing the node would compact the copy.
    await node.ledger.close()
    await rm(join(folder, 'cache'), { recursive: true, force: true, maxRetries: 5 })
  }
}

function unusable(why: string): BackupError {
  return new BackupError(`The copy of the chain cannot be used: ${why}`)
}
