import { type Command, UsageError } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { requirePostgres } from '@rookery/tooling/require-postgres'
import { textTable } from '@rookery/tooling/table'
import { requireBuilt } from '../program/start-program.js'
import { endOnSignal } from '../usage/end-on-signal.js'
import { faults, impossibleFaults } from './faults.js'
import { requireRedis } from './redis.js'
import { makeChaos, type Verdict } from './run.js'
import { tableOf } from './table.js'

const MOST_HELD_MS = 5_000
// Longer than the key of a request that died with its process stays locked, so that such a request is repeated after that too.
const PATIENCE_MS = 75_000
// The remaining agents probe whether the service answers.
const MOST_WRITERS = 60

export const command: Command = {
  summary: 'Kills, freezes, restarts and cuts off each part of a running service, and checks that nothing is lost.',
  options: [
    ['--seconds <n>', 'how long (default 120)'],
    ['--seed <n>', 'other faults in another order (default 1)'],
    ['--faults <names>', 'some of those below, separated by commas (default all)'],
    ['--writers <n>', 'how many agents write at a time (default 16)'],
    ['--readers <n>', 'how many read (default 8)'],
    ['--listeners <n>', 'how many listen to live events (default 9)'],
    ...Object.entries(faults).map(([name, { summary }]) => [name, summary] as const),
  ],
  async run(args) {
    const defaults = { seconds: 120, seed: 1, faults: '', writers: 16, readers: 8, listeners: 9 }
    const { faults: given, ...options } = readOptions(args, defaults)
    const names = readFaults(given)
    if (options.writers > MOST_WRITERS) throw new UsageError(`--writers must be ${MOST_WRITERS} at most`)
    requireBuilt()
    requirePostgres()
    requireRedis()
    const impossible = impossibleFaults(names)
    for (const [name, why] of impossible) console.error(`!!! ${name} is SKIPPED: ${why}.`)
    const possible = names.filter((name) => !impossible.has(name))
    if (possible.length === 0) throw new UsageError('None of these faults is possible on this machine.')
    endOnSignal()
    const verdict = await makeChaos({
      ...options,
      faults: possible,
      times: Number.POSITIVE_INFINITY,
      mostHeldMs: MOST_HELD_MS,
      patienceMs: PATIENCE_MS,
      report: (line) => console.log(line),
    })
    print(verdict)
    if (verdict.wrong.length > 0) process.exitCode = 1
  },
}

function readFaults(given: string): string[] {
  if (given === '') return Object.keys(faults)
  const names = given.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !Object.hasOwn(faults, name))
  if (unknown !== undefined)
    throw new UsageError(`There is no fault called ${unknown}; there are ${Object.keys(faults).join(', ')}.`)
  return names
}

function print({ hits, acknowledged, open, events, heldUpMs, wrong }: Verdict): void {
  const { heading, rows } = tableOf(hits)
  console.log(`\n${textTable(heading, rows)}`)
  const what = `${hits.length} faults, ${acknowledged.toLocaleString('en')} acknowledged writes, ${open} with an unknown outcome, ${events.toLocaleString('en')} events`
  console.log(`\nThe clients themselves were held up for ${(heldUpMs / 1000).toFixed(1)} s at most.`)
  if (wrong.length === 0) {
    console.log(`${what}: nothing was lost or sent twice, all counters equal a recount, and health is ok.`)
    return
  }
  for (const line of wrong.slice(0, 20)) console.log(line)
  console.log(`\n${what}: ${wrong.length} things are WRONG.`)
}
