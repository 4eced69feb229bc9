import { createHmac } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Part } from './manifest.js'

/** What is found in the place of a part. The database tells its owner only when it is open. */
export type Found =
  | { readonly is: 'missing'; readonly file: string }
  | { readonly is: 'damaged'; readonly why: string }
  | { readonly is: 'there'; readonly owner?: string | undefined }

/** The file by which the engine knows that there is a database; without it, it would make one. */
const DATABASE_SIGN = 'PG_VERSION'
const CHAIN_SIGN = 'chain.json'
/** In the folder of uploads, whose files have names without meaning. */
const FILES_SIGN = 'identity'

export const filesSign = (dataDir: string) => join(dataDir, 'files', FILES_SIGN)

/** Looks at a part without changing it. `id` is that of the installation, if it is known. */
export function lookAt(dataDir: string, part: Part, id?: string): Promise<Found> {
  const looks: Readonly<Record<Part, () => Promise<Found>>> = {
    database: () => lookAtDatabase(join(dataDir, 'database')),
    postgres: async () => ({ is: 'there' }),
    chain: () => lookAtChain(join(dataDir, 'chain')),
    files: () => lookAtFiles(dataDir),
    'server-secret': () => lookAtSecret(join(dataDir, part), id),
    'operator-key': () => lookAtSecret(join(dataDir, part), id),
  }
  return looks[part]()
}

async function lookAtDatabase(folder: string): Promise<Found> {
  const names = await namesIn(folder)
  if (names.includes(DATABASE_SIGN)) return { is: 'there' }
  if (names.length === 0) return { is: 'missing', file: folder }
  return { is: 'damaged', why: `${join(folder, DATABASE_SIGN)} is missing` }
}

async function lookAtChain(folder: string): Promise<Found> {
  const file = join(folder, CHAIN_SIGN)
  const text = await textOf(file)
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

// A new chain makes an empty journal before its manifest, and may be killed in between.
async function hasBlocks(folder: string): Promise<boolean> {
  for (const name of await namesIn(folder)) {
    if (!/^(journal|state|blocks)-/.test(name)) continue
    if ((await stat(join(folder, name))).size > 0) return true
  }
  return false
}

async function lookAtFiles(dataDir: string): Promise<Found> {
  const file = filesSign(dataDir)
  const owner = (await textOf(file))?.trim()
  if (owner) return { is: 'there', owner }
  return (await namesIn(join(dataDir, 'files'))).length > 0 ? { is: 'there' } : { is: 'missing', file }
}

async function lookAtSecret(file: string, id: string | undefined): Promise<Found> {
  const secret = (await textOf(file))?.trim()
  if (secret === undefined) return { is: 'missing', file }
  if (secret === '') return { is: 'damaged', why: 'it is empty' }
  return { is: 'there', owner: id && fingerprint(id, secret) }
}

/** Tells whether it is the same secret, and nothing about it: generated secrets cannot be guessed. */
function fingerprint(id: string, secret: string): string {
  return createHmac('sha256', secret).update(`rookery ${id}`).digest('hex').slice(0, 32)
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(absent)
}

async function namesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(absent)) ?? []
  // The root of a volume has it.
  return names.filter((name) => name !== 'lost+found')
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
