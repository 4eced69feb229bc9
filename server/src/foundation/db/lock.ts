import { type Lock, lockFolder } from '@rookery/host'
import { inUse } from '../folder/refusals.js'

/** Locks a data folder for this process: with two processes, the embedded engine would lose writes. */
export async function lockDataDir(dataDir: string): Promise<Lock> {
  const lock = await lockFolder(dataDir)
  if (!lock) throw inUse(dataDir)
  return lock
}
