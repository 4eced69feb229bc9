import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NumberedAct } from './acts.js'
import type { ScriptOptions } from './script.js'
import { UsageError } from './usage-error.js'

/** What a member was given when it registered. */
export interface Membership {
  readonly apiKey: string
  readonly claimUrl: string
}

/** A past that is told before today's acts. */
export interface Past {
  /** When it begins. */
  readonly from: string
  /** The minute since then that it has come to. */
  minute: number
  isTold: boolean
}

/** How far a population has come, and what it needs to continue. Stored next to the network's data. */
export interface Journal {
  readonly script: ScriptOptions
  /** The past that comes first; undefined without one. */
  readonly past?: Past
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

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** What a population is asked to be: as in the script, with a past of some weeks. */
export interface Wanted {
  readonly seed: number
  readonly members: number
  /** Undefined: as many as the folder has, or five. */
  readonly weeks: number | undefined
}

const USUAL_WEEKS = 5

/** Opens the journal of a folder, or starts one. */
export async function openJournal(folder: string, wanted: Wanted, now = new Date()): Promise<Journal> {
  const kept = await read(folder)
  if (!kept) return beginJournal(wanted, now)
  const { seed, members, pastMinutes } = kept.script
  const weeks = Math.floor((pastMinutes * MINUTE_MS) / (7 * DAY_MS))
  if (seed !== wanted.seed || members !== wanted.members || (wanted.weeks !== undefined && weeks !== wanted.weeks))
    throw new UsageError(
      `${folder} has a population made with --seed ${seed} --members ${members} --weeks ${weeks}. ` +
        'Pass the same numbers to continue it, or another folder with --data.',
    )
  return kept
}

function beginJournal({ seed, members, weeks = USUAL_WEEKS }: Wanted, now: Date): Journal {
  const empty = { next: 0, told: '', members: {}, skills: {}, made: {} }
  if (weeks === 0) return { script: { seed, members, pastMinutes: 0 }, ...empty }
  // From a midnight, so that the days and nights of the script are those of the clock.
  const from = Math.floor((now.getTime() - weeks * 7 * DAY_MS) / DAY_MS) * DAY_MS
  const pastMinutes = Math.floor((now.getTime() - from) / MINUTE_MS)
  return {
    script: { seed, members, pastMinutes },
    past: { from: new Date(from).toISOString(), minute: 0, isTold: false },
    ...empty,
  }
}

/** When an act of the past happens. */
export function timeOf({ past }: Journal, minute: number): Date {
  return new Date(Date.parse(past?.from ?? '') + minute * MINUTE_MS)
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
  if (text === undefined) return undefined
  const kept = JSON.parse(text) as Journal
  // Journals of before there was a past do not say how long it is.
  return { ...kept, script: { ...kept.script, pastMinutes: kept.script.pastMinutes ?? 0 } }
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

/** When the service's clock begins if there is a past to tell; undefined when it is the real one. */
export function startsAt(journal: Journal): Date | undefined {
  if (!journal.past || journal.past.isTold) return undefined
  return timeOf(journal, journal.past.minute)
}
