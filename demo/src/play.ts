import { setTimeout as wait } from 'node:timers/promises'
import { RookeryError } from '@rookery/sdk'
import { createRandom } from '@rookery/tooling/random'
import type { NumberedAct } from './acts.js'
import { digestAct, type Journal, requireSameStory, saveJournal, timeOf } from './journal.js'
import { createPerformer } from './perform.js'
import { openingLength, writeScript } from './script.js'

export interface PlayOptions {
  readonly url: string
  readonly folder: string
  readonly journal: Journal
  readonly speed: number
  /** Stops after this many acts since the past; undefined never stops. */
  readonly until: number | undefined
  readonly signal: AbortSignal
  /** Tells the service what time it is, while the past is told; and then that it is the real one. */
  readonly tellTime: (time: Date | 'real') => Promise<void>
  /** Called after every act, with the refusal if it failed. */
  readonly onAct: (act: NumberedAct, refusal?: RookeryError) => void
  /** Called when the clock is the real one. */
  readonly onToday?: () => void
}

const SHORTEST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 4000

/** Plays the script from where the folder stopped: past and opening at full speed, then at a pace people can follow. */
export async function play(options: PlayOptions): Promise<void> {
  const { url, folder, journal, speed, until = Number.POSITIVE_INFINITY, signal } = options
  const { script } = journal
  const performer = createPerformer(url, folder, journal)
  const opening = openingLength(script)
  const pauses = createRandom(script.seed + journal.next)
  const perform = async (act: NumberedAct) => options.onAct(act, await catchRefusal(performer.perform(act)))
  let told = ''
  let today = 0
  for (const acts of moments(writeScript(script))) {
    const [{ number, minute }] = acts
    if (number === journal.next) requireSameStory(folder, journal, told)
    for (const act of acts) told = digestAct(told, act)
    const isPast = minute !== undefined
    if (signal.aborted || today >= until) return
    if (!isPast) today++
    if (number < journal.next) continue
    if (isPast) await options.tellTime(timeOf(journal, minute))
    else {
      await beginToday(options)
      if (number >= opening)
        await wait(pauses.between(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS) / speed, undefined, { signal }).catch(() => {})
    }
    if (signal.aborted) return
    await Promise.all(acts.map(perform))
    journal.next = number + acts.length
    journal.told = told
    if (journal.past && isPast) journal.past.minute = minute
    await saveJournal(folder, journal)
  }
}

/** Ends the past, if that has not been done. */
async function beginToday({ folder, journal, tellTime, onToday }: PlayOptions): Promise<void> {
  if (!journal.past || journal.past.isTold) return
  await tellTime('real')
  journal.past.isTold = true
  await saveJournal(folder, journal)
  onToday?.()
}

type Moment = readonly [NumberedAct, ...NumberedAct[]]

/** Puts the acts of one minute of the past together; every other act is alone. */
function* moments(script: Iterable<NumberedAct>): Generator<Moment, void> {
  let moment: [NumberedAct, ...NumberedAct[]] | undefined
  for (const act of script) {
    if (moment && act.minute !== undefined && act.minute === moment[0].minute) {
      moment.push(act)
      continue
    }
    if (moment) yield moment
    moment = act.minute === undefined ? undefined : [act]
    if (!moment) yield [act]
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
