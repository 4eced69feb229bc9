import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../base/problem.js'
import type { Config } from '../../config/config.js'

const BYTES_PER_MB = 1_000_000
const RETRY_SECONDS = 60

type SpaceConfig = Pick<Config, 'DATA_DIR' | 'FILES' | 'MIN_FREE_DISK_MB'>

/** Says what is short, if less than the floor would be free after `bytes` more are stored. */
export async function findSpaceShortage(config: SpaceConfig, bytes = 0): Promise<string | undefined> {
  const floor = config.MIN_FREE_DISK_MB * BYTES_PER_MB
  if (floor === 0) return undefined
  // Files may be on a disk of their own. Received ones are in the data folder first.
  const folders = [config.DATA_DIR, ...(config.FILES === 'disk' ? [join(config.DATA_DIR, 'files')] : [])]
  for (const folder of folders) {
    const free = await readFreeBytes(folder)
    if (free !== undefined && free - bytes < floor)
      return `Disk space is low: ${Math.floor(free / BYTES_PER_MB)} MB are free, and ${config.MIN_FREE_DISK_MB} MB stay free. Uploads and videos are refused.`
  }
  return undefined
}

export async function requireFreeSpace(config: SpaceConfig, bytes = 0): Promise<void> {
  if (await findSpaceShortage(config, bytes)) throw new Problem('STORAGE_LOW', { retryAfterSeconds: RETRY_SECONDS })
}

// A folder that does not exist yet is on the disk of its parent, which is looked at as well.
async function readFreeBytes(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined)
  return found && found.bavail * found.bsize
}
