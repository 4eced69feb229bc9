import { join } from 'node:path'
import type { Logger } from 'pino'
import { systemClock } from '../base/clock.js'
import { ConfigError } from '../base/config-error.js'
import { type Config, readConfig } from '../config/config.js'
import { engineCode } from '../foundation/db/engine-code.js'
import { folderError } from './data-dir.js'
import { listenError } from './ports.js'

type Places = Pick<Config, 'PORT' | 'HOST' | 'DATA_DIR' | 'DATABASE_URL' | 'LOG_FORMAT'>

const FATAL = 60

/** Ends the process with one line that says what is wrong. The details go to the log. */
export function failStart(error: unknown, config?: Places, log?: Pick<Logger, 'debug'>): void {
  log?.debug({ err: error }, 'the start failed')
  printFailure(`Rookery cannot start: ${explain(error, config)}`, config, () => process.exit(1))
}

/** Prints the sentence that a program ends with: for people, unless collectors are sure to read it. */
export function printFailure(sentence: string, config?: Pick<Config, 'LOG_FORMAT'>, then = () => {}): void {
  const isJson = config?.LOG_FORMAT === 'json'
  const line = isJson ? JSON.stringify({ level: FATAL, time: systemClock.now().getTime(), msg: sentence }) : sentence
  process.stderr.write(`${line}\n`, then)
}

/** Ends an operator command in the same way. It has no log of its own, so the details go to stderr. */
export function failCommand(error: unknown): never {
  const config = tryConfig()
  process.stderr.write(`${explain(error, config)}\n`)
  if (config?.LOG_LEVEL === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exit(1)
}

function tryConfig(): Config | undefined {
  try {
    return readConfig()
  } catch {
    return undefined
  }
}

/** Explains in one line why a program could not start: with the variable and the remedy where possible. */
export function explain(error: unknown, config?: Places): string {
  const explained = error instanceof ConfigError ? error : config && recognise(error, config)
  if (explained) return oneLine(explained.message)
  const message = oneLine(error instanceof Error ? reasonOf(error) : textOf(error)).replace(/\.$/, '')
  return `${message}. This is not expected: run it with LOG_LEVEL=debug for the details.`
}

function recognise(error: unknown, config: Places): Error | undefined {
  const code = engineCode(error)
  if (code) return folderError({ code, path: join(config.DATA_DIR, 'database') }, config.DATA_DIR)
  if (!(error instanceof Error)) return undefined
  if (error.cause instanceof ConfigError) return error.cause
  const meant = listenError(error, config)
  if (meant !== error) return meant
  return folderError(error, config.DATA_DIR) ?? databaseError(error, config)
}

// Errors from PostgreSQL itself during migration; the connection was checked before.
function databaseError(error: Error, { DATABASE_URL }: Places): ConfigError | undefined {
  const refusal = [error, error.cause].find((candidate) => candidate instanceof Error && 'severity' in candidate) as
    | (Error & { code?: string })
    | undefined
  if (!refusal || !DATABASE_URL) return undefined
  const advice = refusal.code === '42501' ? 'Let its owner grant the account of DATABASE_URL what it lacks.' : ''
  return new ConfigError(`DATABASE_URL: PostgreSQL refuses (${refusal.message}). ${advice}`.trim())
}

function reasonOf(error: Error): string {
  const { cause } = error
  const own = error.message || (error as NodeJS.ErrnoException).code || error.name
  return cause instanceof Error ? `${own}: ${cause.message}` : own
}

function textOf(thrown: unknown): string {
  return typeof thrown === 'object' ? JSON.stringify(thrown) : String(thrown)
}

function oneLine(text: string): string {
  return text.trim().split(/\s*\n\s*/)[0] ?? ''
}
