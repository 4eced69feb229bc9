import { type Lock, lockFolder } from '@rookery/host'
import { inUse } from '../folder/refusals.js'

/** Takes a data folder for this process alone: the embedded engine would lose what a second process writes. */
export async function lockDataDir(dataDir: string): Promise<Lock> {
  const lock = await lockFolder(dataDir)
  if (!lock) throw inUse(dataDir)
  return lock
}
