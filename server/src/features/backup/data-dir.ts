import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError } from '../../base/config-error.js'
import type { Config } from '../../config/config.js'
import { lockDataDir } from '../../foundation/db/lock.js'
import { checkNotRestoring } from '../../foundation/db/restoring.js'
import { BackupError } from './backup-error.js'
import { findRunningService, type RunningService } from './running-service.js'

/** A data folder to be copied. */
export interface OpenDataDir {
  readonly folder: string
  /** Undefined when the service is stopped, or its database is elsewhere. */
  readonly service: RunningService | undefined
  readonly hasDatabase: boolean
  readonly hasChain: boolean
  close(): Promise<void>
}

/** Locks the data folder, or connects to the service that has locked it. */
export async function openDataDir(
  { DATA_DIR, DATABASE_URL }: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>,
  signal: AbortSignal,
): Promise<OpenDataDir> {
  const folder = resolve(DATA_DIR)
  if (!existsSync(folder)) throw new BackupError(`DATA_DIR ${folder} does not exist, so there is nothing to back up.`)
  checkNotRestoring(folder)
  const hasDatabase = !DATABASE_URL
  if (hasDatabase && !existsSync(join(folder, 'database')))
    throw new BackupError(`DATA_DIR ${folder} has no database in it, so there is nothing to back up.`)
  const hasChain = existsSync(join(folder, 'chain', 'chain.json'))
  const held = hasDatabase ? await hold(folder, signal) : { service: undefined, close: async () => {} }
  return { folder, hasDatabase, hasChain, ...held }
}

async function hold(folder: string, signal: AbortSignal): Promise<Pick<OpenDataDir, 'service' | 'close'>> {
  const service = await findRunningService(folder, signal)
  if (service) return { service, close: async () => service.close() }
  const locks = [await lock(folder)]
  const chain = join(folder, 'chain')
  // The chain's process outlives a killed service by a moment.
  if (existsSync(chain)) locks.push(await lock(chain))
  return {
    service: undefined,
    async close() {
      for (const lock of locks) await lock.close()
    },
  }
}

async function lock(folder: string) {
  return lockDataDir(folder).catch((error: Error) => {
    if (!(error instanceof ConfigError)) throw error
    throw new BackupError(
      `${folder} is in use by a process that does not answer, perhaps because it is starting or stopping. Try again in a moment.`,
    )
  })
}
