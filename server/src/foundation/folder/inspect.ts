import { createHmac } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listSecrets } from '../secrets.js'
import type { Part } from './manifest.js'

/** The state of a part. The owner of a database is unknown until it is open. */
export type Inspection =
  | { readonly is: 'missing'; readonly file: string }
  | { readonly is: 'damaged'; readonly why: string }
  | { readonly is: 'there'; readonly owner?: string | undefined; readonly formerOwners?: readonly string[] }

/** The engine looks for this file; without it, it would create a new database. */
const DATABASE_SIGN = 'PG_VERSION'
const CHAIN_SIGN = 'chain.json'
/** The file in the folder of uploads that names the installation. */
const FILES_SIGN = 'identity'

export const filesSign = (dataDir: string) => join(dataDir, 'files', FILES_SIGN)

/** Inspects a part without changing it. `id` is the installation's, if known. */
export function inspect(dataDir: string, part: Part, id?: string): Promise<Inspection> {
  const inspections: Readonly<Record<Part, () => Promise<Inspection>>> = {
    database: () => inspectDatabase(join(dataDir, 'database')),
    postgres: async () => ({ is: 'there' }),
    chain: () => inspectChain(join(dataDir, 'chain')),
    files: () => inspectFiles(dataDir),
    'server-secret': () => inspectSecret(join(dataDir, part), id),
    'operator-key': () => inspectSecret(join(dataDir, part), id),
    'bank-key': () => inspectSecret(join(dataDir, part), id),
  }
  return inspections[part]()
}

async function inspectDatabase(folder: string): Promise<Inspection> {
  const names = await listNames(folder)
  if (names.includes(DATABASE_SIGN)) return { is: 'there' }
  if (names.length === 0) return { is: 'missing', file: folder }
  return { is: 'damaged', why: `${join(folder, DATABASE_SIGN)} is missing` }
}

async function inspectChain(folder: string): Promise<Inspection> {
  const file = join(folder, CHAIN_SIGN)
  const text = await readText(file)
  if (text === undefined) {
    const blocks = await hasBlocks(folder)
    return blocks ? { is: 'damaged', why: `${file} is missing` } : { is: 'missing', file }
  }
  try {
    return { is: 'there', owner: (JSON.parse(text) as { folder?: string }).folder }
  } catch {
    return { is: 'damaged', why: `${file} cannot be read` }
  }
}

// A new chain creates an empty journal before its manifest, and may be killed in between.
async function hasBlocks(folder: string): Promise<boolean> {
  for (const name of await listNames(folder)) {
    if (!/^(journal|state|blocks)-/.test(name)) continue
    if ((await stat(join(folder, name))).size > 0) return true
  }
  return false
}

async function inspectFiles(dataDir: string): Promise<Inspection> {
  const file = filesSign(dataDir)
  const owner = (await readText(file))?.trim()
  if (owner) return { is: 'there', owner }
  return (await listNames(join(dataDir, 'files'))).length > 0 ? { is: 'there' } : { is: 'missing', file }
}

async function inspectSecret(file: string, id: string | undefined): Promise<Inspection> {
  const secret = (await readText(file))?.trim()
  if (secret === undefined) return { is: 'missing', file }
  if (secret === '') return { is: 'damaged', why: 'it is empty' }
  if (id === undefined) return { is: 'there' }
  // A list of secrets belongs to the folder if one of them does.
  const [owner, ...formerOwners] = listSecrets(secret).map((one) => fingerprint(id, one))
  return { is: 'there', owner, formerOwners }
}

/** Identifies a secret without revealing it: generated secrets cannot be guessed. */
function fingerprint(id: string, secret: string): string {
  return createHmac('sha256', secret).update(`rookery ${id}`).digest('hex').slice(0, 32)
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(ignoreAbsent)
}

async function listNames(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(ignoreAbsent)) ?? []
  // The root of a volume contains it.
  return names.filter((name) => name !== 'lost+found')
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
