import { dirname, join } from 'node:path'
import { UsageError } from './failures.js'
import { findPrivateFile, replacePrivateFile } from './private-file.js'
import { configPath, lock, openFolder } from './profiles.js'
import { isRecord } from './values.js'

type Env = Readonly<Record<string, string | undefined>>

/** How much a wallet has spent on one day, in UTC. */
interface Day {
  readonly day: string
  readonly wei: string
}

/**
 * Adds to what a wallet spent today, unless that would be more than `mostWei`. The sum is in a file, so that neither a
 * restart nor a second program makes it forgotten.
 */
export async function reserveSpending(
  env: Env,
  wallet: string,
  { wei, mostWei, today = new Date() }: { wei: bigint; mostWei: bigint; today?: Date },
): Promise<{ isWithin: boolean; spentWei: bigint }> {
  const path = join(dirname(configPath(env)), 'spending.json')
  openFolder(dirname(path))
  const unlock = await lock(path)
  try {
    const days = readDays(path)
    const day = today.toISOString().slice(0, 10)
    const key = wallet.toLowerCase()
    const before = days[key]
    const spentWei = before?.day === day ? BigInt(before.wei) : 0n
    if (spentWei + wei > mostWei) return { isWithin: false, spentWei }
    replacePrivateFile(path, `${JSON.stringify({ ...days, [key]: { day, wei: String(spentWei + wei) } }, null, 2)}\n`)
    return { isWithin: true, spentWei }
  } finally {
    unlock()
  }
}

// A file that cannot be read must not let the wallet spend again.
function readDays(path: string): Readonly<Record<string, Day>> {
  const text = findPrivateFile(path)
  if (text === undefined) return {}
  try {
    const days = JSON.parse(text) as unknown
    if (isRecord(days) && Object.values(days).every(isDay)) return days as Readonly<Record<string, Day>>
  } catch {}
  throw new UsageError(`${path} is not a list of what wallets spent. Repair or remove it.`)
}

function isDay(value: unknown): value is Day {
  return isRecord(value) && typeof value.day === 'string' && typeof value.wei === 'string' && /^[0-9]+$/.test(value.wei)
}
