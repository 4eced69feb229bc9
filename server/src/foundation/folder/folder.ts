import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { writeWhole } from '@rookery/host'
import type { Clock } from '../../base/clock.js'
import type { Config } from '../../config/config.js'
import { type FolderDb, findIdentity, giveIdentity, inTurn } from './identity.js'
import { type Found, filesSign, lookAt } from './look.js'
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
  /** The installation that it belongs to. */
  readonly id: string
  /** Whether a part that is not there may be made. */
  mayMake(part: Part): boolean
  /** Notes that the parts are made. From then on one that is missing stops the start. */
  settle(): Promise<void>
}

/** A data folder that was looked at, before the database is open. */
export interface LookedAtFolder {
  /** Absent where only the database can tell to which installation it belongs. Until then nothing may be made in it. */
  readonly known: Folder | undefined
  /** Makes sure that the open, migrated database belongs to it. */
  claim(db: FolderDb): Promise<Folder>
}

export type FolderConfig = Pick<
  Config,
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'SERVER_SECRET'
  | 'OPERATOR_PRIVATE_KEY'
  | 'CHAIN_RPC_URL'
  | 'ROLE'
  | 'FILES'
  | 'version'
>

/** Processes that share the work need one chain, which cannot be inside one of them. */
export function hasEmbeddedChain({ CHAIN_RPC_URL, ROLE }: Pick<Config, 'CHAIN_RPC_URL' | 'ROLE'>): boolean {
  return !CHAIN_RPC_URL && ROLE === 'all'
}

/** The parts that a process with this configuration keeps in its folder. Others may be there, but are not looked at. */
function partsOf(config: FolderConfig): Part[] {
  const hasChain = hasEmbeddedChain(config)
  const parts: [Part, boolean][] = [
    ['database', !config.DATABASE_URL],
    ['chain', hasChain],
    ['files', config.FILES === 'disk'],
    ['server-secret', !config.SERVER_SECRET],
    ['operator-key', hasChain && !config.OPERATOR_PRIVATE_KEY],
  ]
  return parts.filter(([, isUsed]) => isUsed).map(([part]) => part)
}

/** Looks at the data folder of an embedded database, which this process has locked, and refuses it if a part is missing or foreign. */
export async function openFolder(config: FolderConfig, clock: Clock): Promise<LookedAtFolder> {
  const { DATA_DIR: dataDir } = config
  const parts = partsOf(config)
  const manifest = await readManifest(dataDir)
  if (!manifest || isOpen(dataDir)) makePrivate(dataDir)
  if (isMade(manifest?.parts.postgres)) throw databaseUrlMissing(dataDir)
  if (!manifest && (await isUsed(dataDir, parts))) return { known: undefined, claim: (db) => adopt(db) }
  const known = await begin(dataDir, manifest ?? newManifest(config, clock), parts)
  return {
    known,
    async claim(db) {
      const owner = await findIdentity(db)
      if (owner ? owner !== known.id : !known.mayMark('database')) throw foreign(dataDir, 'database', known.id, owner)
      await giveIdentity(db, known.id)
      return known
    },
  }

  // It is from before there were manifests, or lost its own. The database knows.
  async function adopt(db: FolderDb): Promise<Folder> {
    const owner = await findIdentity(db)
    if (owner) throw manifestMissing(dataDir, 'database', owner)
    const adopted = await begin(dataDir, newManifest(config, clock), parts)
    await giveIdentity(db, adopted.id)
    return adopted
  }
}

/** Looks at the data folder of a process that uses PostgreSQL. Several may share it, and each may have one of its own. */
export function openFolderBeside(config: FolderConfig, clock: Clock): LookedAtFolder {
  const { DATA_DIR: dataDir } = config
  const parts = partsOf(config)
  return {
    known: undefined,
    async claim(db) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      const before = await readManifest(dataDir)
      if (!before || isOpen(dataDir)) makePrivate(dataDir)
      const owner = await findIdentity(db)
      if (before && (owner ? owner !== before.id : isMade(before.parts.postgres)))
        throw otherDatabase(dataDir, before.id, owner)
      const made = before ?? newManifest(config, clock)
      const id = await giveIdentity(db, made.id)
      // A process that keeps nothing here may go on with any database.
      if (parts.length === 0) return { id, mayMake: () => true, settle: async () => {} }
      if (!before) await refuseMarkedChain(dataDir, parts)
      const folder = await inTurn(db, async () => {
        const manifest = (await readManifest(dataDir)) ?? made
        return begin(dataDir, { ...manifest, id }, ['postgres', ...parts])
      })
      return { ...folder, settle: () => inTurn(db, () => folder.settle()) }
    },
  }
}

function newManifest({ version }: FolderConfig, clock: Clock): Manifest {
  return { id: randomUUID(), madeAt: clock.now().toISOString(), madeBy: version, parts: {} }
}

/** Whether a folder without a manifest has been used. One whose parts know their installation has lost it. */
async function isUsed(dataDir: string, parts: readonly Part[]): Promise<boolean> {
  const found: Part[] = []
  for (const part of parts) {
    const it = await lookAt(dataDir, part)
    if (it.is === 'damaged') throw damaged(dataDir, part, it.why)
    if (it.is === 'missing') continue
    if (it.owner) throw manifestMissing(dataDir, part, it.owner)
    found.push(part)
  }
  // Secrets alone are no evidence: an operator may bring them along, and a first start may be killed after making them.
  const evidence = found.find((part) => part === 'chain' || part === 'files')
  if (evidence && !found.includes('database')) throw databaseMissing(dataDir, evidence)
  return found.length > 0
}

// Uploads may be in a folder that other instances share; a chain never is.
async function refuseMarkedChain(dataDir: string, parts: readonly Part[]): Promise<void> {
  const chain = parts.includes('chain') ? await lookAt(dataDir, 'chain') : undefined
  if (chain?.is === 'there' && chain.owner) throw manifestMissing(dataDir, 'chain', chain.owner)
}

interface BegunFolder extends Folder {
  /** Whether a part that is there may be without the identity. */
  mayMark(part: Part): boolean
}

/** Checks all parts, and notes those that will be made before any of them is. */
async function begin(dataDir: string, manifest: Manifest, parts: readonly Part[]): Promise<BegunFolder> {
  const { id } = manifest
  const lines: Partial<Record<Part, Line>> = { ...manifest.parts }
  for (const part of parts)
    lines[part] = check(dataDir, part, id, manifest.parts[part], await lookAt(dataDir, part, id))
  await writeIfChanged(dataDir, manifest, lines)
  return {
    id,
    mayMake: (part) => lines[part] === undefined || lines[part] === 'being made',
    mayMark: (part) => !isMade(lines[part]),
    async settle() {
      if (parts.includes('files')) await markFiles(dataDir, id)
      for (const part of parts) lines[part] = settled(part, lines[part], await lookAt(dataDir, part, id), id)
      // Another process that shares the folder may have written meanwhile.
      const now = (await readManifest(dataDir)) ?? manifest
      await writeIfChanged(dataDir, now, { ...now.parts, ...lines })
    },
  }
}

const isSecret = (part: Part) => part === 'server-secret' || part === 'operator-key'
// Those that carry the identity in a file of their own.
const isMarked = (part: Part) => part === 'chain' || part === 'files'
const isMade = (line: Line | undefined) => line?.startsWith('made') ?? false

/** The line that a part has from now on, unless it cannot be used. */
function check(dataDir: string, part: Part, id: string, line: Line | undefined, found: Found): Line {
  if (found.is === 'missing') {
    if (line !== undefined && line !== 'being made') throw missing(dataDir, part, found.file)
    return 'being made'
  }
  if (found.is === 'damaged') throw damaged(dataDir, part, found.why)
  const { owner } = found
  if (isSecret(part) && isMade(line) && line !== `made ${owner}`) throw foreignSecret(dataDir, part)
  if (isMarked(part) && (owner === undefined ? isMade(line) : owner !== id)) throw foreign(dataDir, part, id, owner)
  return line ?? 'being adopted'
}

function settled(part: Part, line: Line | undefined, found: Found, id: string): Line {
  if (found.is === 'there' && isSecret(part)) return `made ${found.owner}`
  if (found.is === 'there' && (!isMarked(part) || found.owner === id)) return 'made'
  return line ?? 'being made'
}

async function writeIfChanged(dataDir: string, manifest: Manifest, parts: Manifest['parts']): Promise<void> {
  const isSame = Object.entries(parts).every(([part, line]) => manifest.parts[part as Part] === line)
  if (!isSame) await writeManifest(dataDir, { ...manifest, parts })
}

async function markFiles(dataDir: string, id: string): Promise<void> {
  const found = await lookAt(dataDir, 'files')
  if (found.is !== 'there' || found.owner === undefined) await writeWhole(filesSign(dataDir), `${id}\n`)
}
