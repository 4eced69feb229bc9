import { join, resolve } from 'node:path'
import { BackupError } from './backup-error.js'
import { forEachInParallel, ifExists, readRecord, totalSize, type Watch } from './files.js'
import { dataOf, type Manifest, readManifest } from './manifest.js'
import type { Progress } from './progress.js'

export interface CheckOptions {
  readonly backup: string
  readonly signal: AbortSignal
  readonly progress: Progress
}

const NAMED = 5

/** Reads a whole backup and compares it with its manifest. */
export async function checkBackup({ backup, signal, progress }: CheckOptions): Promise<Manifest> {
  const folder = resolve(backup)
  const manifest = await readManifest(folder)
  await checkFiles(folder, manifest, { signal, onBytes: (bytes) => progress.add(bytes) }, progress)
  return manifest
}

/** Refuses a backup whose files do not match the manifest. */
export async function checkFiles(backup: string, manifest: Manifest, watch: Watch, progress: Progress): Promise<void> {
  progress.begin('Reading it all back', totalSize(manifest.files))
  const damages: string[] = []
  await forEachInParallel(manifest.files, watch.signal, async (expected) => {
    const found = await ifExists(readRecord(join(dataOf(backup), expected.path), watch))
    const damage = findDamage(expected, found)
    if (damage) damages.push(damage)
  })
  if (damages.length === 0) return
  const more = damages.length > NAMED ? `, and ${damages.length - NAMED} more` : ''
  throw new BackupError(`${backup} is damaged: ${damages.sort().slice(0, NAMED).join(', ')}${more}.`)
}

/** Describes what is wrong with a file, if anything is. */
export function findDamage(
  expected: { readonly path: string; readonly size: number; readonly sha256: string },
  found: { readonly size: number; readonly sha256: string } | undefined,
): string | undefined {
  if (!found) return `data/${expected.path} is missing`
  if (found.size !== expected.size) return `data/${expected.path} has ${found.size} bytes instead of ${expected.size}`
  if (found.sha256 !== expected.sha256) return `data/${expected.path} does not have the content it was written with`
  return undefined
}
