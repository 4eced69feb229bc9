import { setTimeout as wait } from 'node:timers/promises'
import { RookeryError } from '@rookery/sdk'
import { createRandom } from '@rookery/tooling/random'
import type { NumberedAct } from './acts.js'
import { digestAct, openJournal, requireSameStory, saveJournal } from './journal.js'
import { createPerformer } from './perform.js'
import { openingLength, type ScriptOptions, writeScript } from './script.js'

export interface PlayOptions {
  readonly url: string
  readonly folder: string
  readonly script: ScriptOptions
  readonly speed: number
  /** Stops before the act with this number; undefined never stops. */
  readonly until: number | undefined
  readonly signal: AbortSignal
  /** Called after every act, with the refusal if it failed. */
  readonly onAct: (act: NumberedAct, refusal?: RookeryError) => void
}

const SHORTEST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 4000

/** Plays the script from where the folder stopped: the opening at full speed, then at a pace people can follow. */
export async function play({ url, folder, script, speed, until, signal, onAct }: PlayOptions): Promise<void> {
  const journal = await openJournal(folder, script)
  const performer = createPerformer(url, folder, journal)
  const opening = openingLength(script)
  const pauses = createRandom(script.seed + journal.next)
  let told = ''
  for (const act of writeScript(script)) {
    if (act.number === journal.next) requireSameStory(folder, journal, told)
    told = digestAct(told, act)
    if (signal.aborted || act.number >= (until ?? Number.POSITIVE_INFINITY)) return
    if (act.number < journal.next) continue
    if (act.number >= opening)
      await wait(pauses.between(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS) / speed, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    onAct(act, await catchRefusal(performer.perform(act)))
    journal.next = act.number + 1
    journal.told = told
    await saveJournal(folder, journal)
  }
}

// People may join in, and sell or delete what the script relies on; the other members carry on.
async function catchRefusal(performed: Promise<void>): Promise<RookeryError | undefined> {
  try {
    await performed
    return undefined
  } catch (error) {
    if (error instanceof RookeryError && error.status < 500) return error
    throw error
  }
}
