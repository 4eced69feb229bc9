import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '@rookery/host'
import type { Hex } from 'viem'
import type { GenesisAccount } from './evm.js'
import { type BlockId, createJournal, readJournal } from './journal.js'
import { ChainRefusal } from './refusal.js'

/** The genesis of a new chain. */
export interface Genesis {
  /** The account that permits launches. */
  readonly operator: Hex
  readonly accounts: readonly GenesisAccount[]
  /** The first signed transactions; each becomes a block. */
  readonly transactions: readonly Hex[]
}

const VERSION = 1

/** Lists the files of the chain. A compaction takes effect when this file is replaced. */
export interface Manifest {
  /** The version of the file format. */
  readonly version: typeof VERSION
  readonly operator: Hex
  readonly accounts: readonly GenesisAccount[]
  /** Counts the compactions; part of the file names of the last one. */
  readonly generation: number
  /** The newest block in the history and the saved state; null before the first compaction. */
  readonly base: BlockId | null
  /** The minimum length of the journal, in lines. A shorter one was truncated. */
  readonly lines?: number
  /** The id of the installation that the chain belongs to. */
  readonly folder?: string
}

/** The installation that the chain must belong to, and whether a missing chain may be created. */
export interface Ownership {
  readonly identity?: string | undefined
  readonly mayMake: boolean
}

export const journalFile = (folder: string, generation: number) => join(folder, `journal-${generation}`)
export const stateFile = (folder: string, generation: number) => join(folder, `state-${generation}.gz`)
const manifestFile = (folder: string) => join(folder, 'chain.json')

export function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  return writeWhole(manifestFile(folder), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

/** Reads the manifest, or creates that of a new chain. */
export async function readOrMakeManifest(
  folder: string,
  genesis: Genesis,
  { identity, mayMake }: Ownership = { mayMake: true },
): Promise<Manifest> {
  const file = manifestFile(folder)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined && !mayMake) throw new ChainRefusal({ is: 'missing', folder, file })
  if (text === undefined) return makeManifest(folder, genesis, identity)
  const manifest = parse(folder, file, text)
  if (manifest.version !== VERSION)
    throw new ChainRefusal({ is: 'newer', folder, version: manifest.version, readable: VERSION })
  if (identity && manifest.folder && manifest.folder !== identity)
    throw new ChainRefusal({ is: 'foreign', folder, identity, owner: manifest.folder })
  if (manifest.operator !== genesis.operator)
    throw new ChainRefusal({ is: 'other operator', folder, operator: manifest.operator })
  const bank = manifest.accounts?.[0]?.address
  if (bank !== genesis.accounts[0]?.address) throw new ChainRefusal({ is: 'other bank', folder, bank: bank ?? 'none' })
  if (!identity || manifest.folder) return manifest
  const adopted = { ...manifest, folder: identity }
  await writeManifest(folder, adopted)
  return adopted
}

/** Finds the bank of the chain in a folder; undefined while there is no chain. */
export async function findBank(folder: string): Promise<Hex | undefined> {
  const file = manifestFile(folder)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return text === undefined ? undefined : parse(folder, file, text).accounts?.[0]?.address
}

/** Does the quick checks of the files that the manifest lists. */
export async function checkFiles(folder: string, { generation, base, lines = 0 }: Manifest): Promise<void> {
  await readJournal(journalFile(folder, generation), lines)
  if (!base) return
  const file = stateFile(folder, generation)
  await access(file).catch(() => {
    throw new Error(`${file} is missing`)
  })
}

async function makeManifest(
  folder: string,
  { operator, accounts }: Genesis,
  identity: string | undefined,
): Promise<Manifest> {
  const own = identity === undefined ? {} : { folder: identity }
  const manifest: Manifest = { version: VERSION, operator, accounts, generation: 0, base: null, lines: 0, ...own }
  await createJournal(journalFile(folder, 0))
  await writeManifest(folder, manifest)
  return manifest
}

function parse(folder: string, file: string, text: string): Manifest {
  try {
    return JSON.parse(text) as Manifest
  } catch {
    throw new ChainRefusal({ is: 'damaged', folder, why: `${file} cannot be read` })
  }
}
