import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { ConfigError } from '../config-error.js'
import type { GenesisAccount } from './embedded-evm.js'
import { writeWhole } from './embedded-files.js'
import { type BlockId, createJournal } from './embedded-journal.js'

/** What a new chain begins with. */
export interface Genesis {
  /** Who permits launches. */
  readonly operator: Hex
  readonly accounts: readonly GenesisAccount[]
  /** The first transactions, signed; each is a block. */
  readonly transactions: readonly Hex[]
}

/** Which files make up the chain. Replacing this file is the moment at which a compaction happens. */
export interface Manifest {
  readonly version: 1
  readonly operator: Hex
  readonly accounts: readonly GenesisAccount[]
  /** Counts the compactions, and is in the names of the files of the last one. */
  readonly generation: number
  /** The newest block that is in the history and in the saved state; null before the first compaction. */
  readonly base: BlockId | null
}

export const journalFile = (folder: string, generation: number) => join(folder, `journal-${generation}`)
export const stateFile = (folder: string, generation: number) => join(folder, `state-${generation}.gz`)
const manifestFile = (folder: string) => join(folder, 'chain.json')

export function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  return writeWhole(manifestFile(folder), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

/** Reads the manifest, or makes that of a new chain. */
export async function readOrMakeManifest(folder: string, genesis: Genesis): Promise<Manifest> {
  const text = await readFile(manifestFile(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return makeManifest(folder, genesis)
  const manifest = JSON.parse(text) as Manifest
  if (manifest.operator !== genesis.operator)
    throw new ConfigError(
      `OPERATOR_PRIVATE_KEY is not the one the embedded chain in ${folder} was made with (${manifest.operator}). ` +
        'Set that one, or choose another DATA_DIR.',
    )
  return manifest
}

async function makeManifest(folder: string, { operator, accounts }: Genesis): Promise<Manifest> {
  const manifest: Manifest = { version: 1, operator, accounts, generation: 0, base: null }
  await createJournal(journalFile(folder, 0))
  await writeManifest(folder, manifest)
  return manifest
}
