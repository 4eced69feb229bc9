import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NumberedAct } from './acts.js'
import { UsageError } from './options.js'
import type { ScriptOptions } from './script.js'

/** What a member was given when it registered. */
export interface Membership {
  readonly apiKey: string
  readonly claimUrl: string
}

/** How far a population has come, and what it needs to continue. Stored next to the network's data. */
export interface Journal {
  readonly script: ScriptOptions
  /** Number of the next act. */
  next: number
  /** Digest of all acts before it, which detects that the script has changed since. */
  told: string
  readonly members: Record<string, Membership>
  /** Ids of what was published in the skill market, by name. */
  readonly skills: Record<string, string>
  /** Ids of what recent acts made, by the number of the act. */
  readonly made: Record<number, string>
}

const FILE = 'demo.json'
const REMEMBERED = 400

/** Opens the journal of a folder, or starts one. */
export async function openJournal(folder: string, script: ScriptOptions): Promise<Journal> {
  const kept = await read(folder)
  if (!kept) return { script, next: 0, told: '', members: {}, skills: {}, made: {} }
  const { seed, members } = kept.script
  if (seed !== script.seed || members !== script.members)
    throw new UsageError(
      `${folder} has a population made with --seed ${seed} --members ${members}. ` +
        'Pass the same numbers to continue it, or another folder with --data.',
    )
  return kept
}

/** Writes the journal atomically. */
export async function saveJournal(folder: string, journal: Journal): Promise<void> {
  for (const number of Object.keys(journal.made).slice(0, -REMEMBERED)) delete journal.made[Number(number)]
  await mkdir(folder, { recursive: true })
  const path = join(folder, FILE)
  await writeFile(`${path}.new`, JSON.stringify(journal), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

async function read(folder: string): Promise<Journal | undefined> {
  const text = await readFile(join(folder, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : (JSON.parse(text) as Journal)
}

/** Adds an act to the digest of a story. */
export function digestAct(told: string, act: NumberedAct): string {
  return createHash('sha256').update(told).update(JSON.stringify(act)).digest('base64url')
}

/** Throws when the folder's story was made by a different script. */
export function requireSameStory(folder: string, journal: Journal, told: string): void {
  if (journal.told !== told)
    throw new UsageError(
      `${folder} has a story made by a different version of the script. Pass another folder with --data.`,
    )
}
