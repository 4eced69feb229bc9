import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { writeWhole } from '@rookery/host'
import type { Clock } from '../../base/clock.js'
import type { Config } from '../../config/config.js'
import { type FolderDb, findIdentity, giveIdentity, withFolderLock } from './identity.js'
import { filesSign, type Inspection, inspect } from './inspect.js'
import { type Line, type Manifest, type Part, readManifest, writeManifest } from './manifest.js'
import { isOpen, makePrivate } from './private.js'
import {
  damaged,
  databaseMissing,
  databaseUrlMissing,
  foreign,
  foreignSecret,
  manifestMissing,
  missing,
  otherDatabase,
} from './refusals.js'

/** A data folder whose parts belong together. */
export interface Folder {
  /** The id of the installation. */
  readonly id: string
  /** Whether a missing part may be created. */
  mayMake(part: Part): boolean
  /** Records that the parts exist. From then on a missing part stops the start. */
  settle(): Promise<void>
}

/** A data folder that was checked before the database is open. */
export interface CheckedFolder {
  /** Undefined where only the database can say which installation it belongs to. Until then, create nothing in it. */
  readonly identified: Folder | undefined
  /** Checks that the open, migrated database belongs to the folder. */
  claim(db: FolderDb): Promise<Folder>
}

export type FolderConfig = Pick<
  Config,
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'SERVER_SECRET'
  | 'OPERATOR_PRIVATE_KEY'
  | 'CHAIN_RPC_URL'
  | 'STAGING_CHAIN_URL'
  | 'ROLE'
  | 'FILES'
  | 'version'
>

/** Processes that share the work need one common chain, which cannot be inside one of them. */
export function hasEmbeddedChain(config: Pick<Config, 'CHAIN_RPC_URL' | 'STAGING_CHAIN_URL' | 'ROLE'>): boolean {
  return !config.CHAIN_RPC_URL && !config.STAGING_CHAIN_URL && config.ROLE === 'all'
}

/** The parts that a process with this configuration keeps in its folder. Others may exist but are ignored. */
function partsOf(config: FolderConfig): Part[] {
  const hasChain = hasEmbeddedChain(config)
  const parts: [Part, boolean][] = [
    ['database', !config.DATABASE_URL],
    ['chain', hasChain],
    ['files', config.FILES === 'disk'],
    ['server-secret', !config.SERVER_SECRET],
    ['operator-key', hasChain && !config.OPERATOR_PRIVATE_KEY],
    ['bank-key', hasChain],
  ]
  return parts.filter(([, isUsed]) => isUsed).map(([part]) => part)
}

/** Checks the data folder of an embedded database, which this process has locked; refuses missing or foreign parts. */
export async function openFolder(config: FolderConfig, clock: Clock): Promise<CheckedFolder> {
  const { DATA_DIR: dataDir } = config
  const parts = partsOf(config)
  const manifest = await readManifest(dataDir)
  if (!manifest || isOpen(dataDir)) makePrivate(dataDir)
  if (isMade(manifest?.parts.postgres)) throw databaseUrlMissing(dataDir)
  if (!manifest && (await isUsed(dataDir, parts))) return { identified: undefined, claim: (db) => adopt(db) }
  const folder = await checkParts(dataDir, manifest ?? newManifest(config, clock), parts)
  return {
    identified: folder,
    async claim(db) {
      const owner = await findIdentity(db)
      if (owner ? owner !== folder.id : !folder.mayMark('database'))
        throw foreign(dataDir, 'database', folder.id, owner)
      await giveIdentity(db, folder.id)
      return folder
    },
  }

  // The folder is older than manifests, or has lost its own. The database decides.
  async function adopt(db: FolderDb): Promise<Folder> {
    const owner = await findIdentity(db)
    if (owner) throw manifestMissing(dataDir, 'database', owner)
    const adopted = await checkParts(dataDir, newManifest(config, clock), parts)
    await giveIdentity(db, adopted.id)
    return adopted
  }
}

/** Checks the data folder of a process that uses PostgreSQL. Processes may share a folder or have one each. */
export function openFolderForPostgres(config: FolderConfig, clock: Clock): CheckedFolder {
  const { DATA_DIR: dataDir } = config
  const parts = partsOf(config)
  return {
    identified: undefined,
    async claim(db) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      const before = await readManifest(dataDir)
      if (!before || isOpen(dataDir)) makePrivate(dataDir)
      const owner = await findIdentity(db)
      if (before && (owner ? owner !== before.id : isMade(before.parts.postgres)))
        throw otherDatabase(dataDir, before.id, owner)
      const made = before ?? newManifest(config, clock)
      const id = await giveIdentity(db, made.id)
      // A process that keeps nothing in the folder may use any database.
      if (parts.length === 0) return { id, mayMake: () => true, settle: async () => {} }
      if (!before) await refuseMarkedChain(dataDir, parts)
      const folder = await withFolderLock(db, async () => {
        const manifest = (await readManifest(dataDir)) ?? made
        return checkParts(dataDir, { ...manifest, id }, ['postgres', ...parts])
      })
      return { ...folder, settle: () => withFolderLock(db, () => folder.settle()) }
    },
  }
}

function newManifest({ version }: FolderConfig, clock: Clock): Manifest {
  return { id: randomUUID(), madeAt: clock.now().toISOString(), madeBy: version, parts: {} }
}

/** Whether a folder without a manifest has been used. If a part carries an identity, the manifest was lost. */
async function isUsed(dataDir: string, parts: readonly Part[]): Promise<boolean> {
  const found: Part[] = []
  for (const part of parts) {
    const inspection = await inspect(dataDir, part)
    if (inspection.is === 'damaged') throw damaged(dataDir, part, inspection.why)
    if (inspection.is === 'missing') continue
    if (inspection.owner) throw manifestMissing(dataDir, part, inspection.owner)
    found.push(part)
  }
  // Secrets alone are no evidence: the operator may provide them, and a first start may be killed after creating them.
  const evidence = found.find((part) => part === 'chain' || part === 'files')
  if (evidence && !found.includes('database')) throw databaseMissing(dataDir, evidence)
  return found.length > 0
}

// Instances may share a folder of uploads, but never a chain.
async function refuseMarkedChain(dataDir: string, parts: readonly Part[]): Promise<void> {
  const chain = parts.includes('chain') ? await inspect(dataDir, 'chain') : undefined
  if (chain?.is === 'there' && chain.owner) throw manifestMissing(dataDir, 'chain', chain.owner)
}

interface CheckedParts extends Folder {
  /** Whether an existing part may lack the identity. */
  mayMark(part: Part): boolean
}

/** Checks all parts, and records those to be created before any of them is. */
async function checkParts(dataDir: string, manifest: Manifest, parts: readonly Part[]): Promise<CheckedParts> {
  const { id } = manifest
  const lines: Partial<Record<Part, Line>> = { ...manifest.parts }
  for (const part of parts)
    lines[part] = check(dataDir, part, id, manifest.parts[part], await inspect(dataDir, part, id))
  await writeIfChanged(dataDir, manifest, lines)
  return {
    id,
    mayMake: (part) => lines[part] === undefined || lines[part] === 'being made',
    mayMark: (part) => !isMade(lines[part]),
    async settle() {
      if (parts.includes('files')) await markFiles(dataDir, id)
      for (const part of parts) lines[part] = settledLine(part, lines[part], await inspect(dataDir, part, id), id)
      // Another process that shares the folder may have written the manifest meanwhile.
      const now = (await readManifest(dataDir)) ?? manifest
      await writeIfChanged(dataDir, now, { ...now.parts, ...lines })
    },
  }
}

const isSecret = (part: Part) => part === 'server-secret' || part === 'operator-key' || part === 'bank-key'
// Parts that carry the identity in a file.
const isMarked = (part: Part) => part === 'chain' || part === 'files'
const isMade = (line: Line | undefined) => line?.startsWith('made') ?? false

/** Returns the manifest line of a part; throws if the part cannot be used. */
function check(dataDir: string, part: Part, id: string, line: Line | undefined, found: Inspection): Line {
  if (found.is === 'missing') {
    if (line !== undefined && line !== 'being made') throw missing(dataDir, part, found.file)
    return 'being made'
  }
  if (found.is === 'damaged') throw damaged(dataDir, part, found.why)
  const { owner, formerOwners = [] } = found
  const isKnown = [owner, ...formerOwners].some((one) => line === `made ${one}`)
  if (isSecret(part) && isMade(line) && !isKnown) throw foreignSecret(dataDir, part)
  if (isMarked(part) && (owner === undefined ? isMade(line) : owner !== id)) throw foreign(dataDir, part, id, owner)
  return line ?? 'being adopted'
}

function settledLine(part: Part, line: Line | undefined, found: Inspection, id: string): Line {
  if (found.is === 'there' && isSecret(part)) return `made ${found.owner}`
  if (found.is === 'there' && (!isMarked(part) || found.owner === id)) return 'made'
  return line ?? 'being made'
}

async function writeIfChanged(dataDir: string, manifest: Manifest, parts: Manifest['parts']): Promise<void> {
  const isSame = Object.entries(parts).every(([part, line]) => manifest.parts[part as Part] === line)
  if (!isSame) await writeManifest(dataDir, { ...manifest, parts })
}

async function markFiles(dataDir: string, id: string): Promise<void> {
  const found = await inspect(dataDir, 'files')
  if (found.is !== 'there' || found.owner === undefined) await writeWhole(filesSign(dataDir), `${id}\n`)
}
