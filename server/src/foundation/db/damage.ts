import { join, resolve } from 'node:path'
import { ConfigError } from '../../base/config-error.js'
import { damagedAtPath } from '../folder/refusals.js'
import { pgCode } from './db.js'

// Every class but 53, which includes a full disk.
const SQLSTATE = /^(?!53)[0-9A-Z]{5}$/

/**
 * Turns the failure of a statement during the start into an error about a damaged database. Nothing else uses the embedded
 * engine at that point, so whatever it refuses is caused by the data.
 */
export function findDamage(dataDir: string, error: unknown): ConfigError | undefined {
  if (!(error instanceof Error) || error instanceof ConfigError) return undefined
  const refusal = [error, error.cause].find((candidate) => SQLSTATE.test(pgCode(candidate) ?? ''))
  if (!(refusal instanceof Error)) return undefined
  const why = refusal === error ? refusal.message : `${error.message} (${refusal.message})`
  return damagedAtPath(join(resolve(dataDir), 'database'), 'database', why)
}
