import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.js'
import { fingerprintOf, listSecrets, secretId } from '../../foundation/secrets.js'
import type { CheckedDatabase } from './check-database.js'
import { type FileRecord, ifExists } from './files.js'

/** Lists what is not in the backup, so that the operator does not find out when it is needed. */
export async function listNotes(
  config: Config,
  data: string,
  database: CheckedDatabase | undefined,
  files: readonly FileRecord[],
): Promise<string[]> {
  const notes: string[] = []
  const has = (wanted: string) => files.some(({ path }) => path === wanted)
  if (!database)
    notes.push('The database of DATABASE_URL is not in it: use pg_dump, or a base backup, and make that first.')
  if (config.FILES !== 'disk') notes.push('Uploads are not in it: they are in the bucket that FILES names.')
  if (!(await hasSecret(data, database)))
    notes.push('SERVER_SECRET is not in it: keep it yourself; the service cannot start without it.')
  if (config.OPERATOR_PRIVATE_KEY || (has('chain/chain.json') && !has('operator-key')))
    notes.push('OPERATOR_PRIVATE_KEY is not in it: keep it yourself.')
  const lost = config.FILES === 'disk' ? lostUploads(database, files) : []
  if (lost.length > 0)
    notes.push(
      `${lost.length} uploads that the database lists are missing from DATA_DIR or incomplete: ${lost.slice(0, 3).join(', ')}${lost.length > 3 ? ' …' : ''}`,
    )
  return notes
}

async function hasSecret(data: string, database: CheckedDatabase | undefined): Promise<boolean> {
  const text = await ifExists(readFile(join(data, 'server-secret'), 'utf8'))
  if (text === undefined) return false
  if (!database?.facts.secretFingerprint) return true
  const { secretIds, facts } = database
  return listSecrets(text.trim()).some((secret) =>
    secretIds.length > 0 ? secretIds.includes(secretId(secret)) : fingerprintOf(secret) === facts.secretFingerprint,
  )
}

function lostUploads(database: CheckedDatabase | undefined, files: readonly FileRecord[]): string[] {
  const sizes = new Map(files.map(({ path, size }) => [path, size]))
  const place = (name: string) => `files/${name.slice(0, 2)}/${name}`
  return (database?.uploads ?? []).filter(({ name, size }) => sizes.get(place(name)) !== size).map(({ name }) => name)
}
