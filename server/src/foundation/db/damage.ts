import { join, resolve } from 'node:path'
import { ConfigError } from '../../base/config-error.js'
import { damagedAt } from '../folder/refusals.js'
import { pgCode } from './db.js'

// But for class 53, such as a full disk.
const SQLSTATE = /^(?!53)[0-9A-Z]{5}$/

/**
 * What a statement that failed during the start says about the embedded database. Nobody else works on it, so whatever the
 * engine refuses then is about the data.
 */
export function damageOf(dataDir: string, error: unknown): ConfigError | undefined {
  if (!(error instanceof Error) || error instanceof ConfigError) return undefined
  const refusal = [error, error.cause].find((it) => SQLSTATE.test(pgCode(it) ?? ''))
  if (!(refusal instanceof Error)) return undefined
  const why = refusal === error ? refusal.message : `${error.message} (${refusal.message})`
  return damagedAt(join(resolve(dataDir), 'database'), 'database', why)
}
