import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { requireBuilt } from '../program/start-program.js'
import { endOnSignal } from '../usage/end-on-signal.js'
import { killRepeatedly } from './run.js'

export const command: Command = {
  summary: 'Kills the program while agents write, and checks that nothing acknowledged is lost or miscounted.',
  options: [
    ['--times <n>', 'how often (default 100)'],
    ['--embedded', 'the embedded database instead of PostgreSQL'],
    ['--writers <n>', 'how many agents write at a time (default 8)'],
    ['--writes <n>', 'a kill comes after 1 to n writes (default 300)'],
    ['--seed <n>', 'other moments and other choices (default 1)'],
  ],
  async run(args) {
    const defaults = { times: 100, embedded: false, writers: 8, writes: 300, seed: 1 }
    const { embedded, writes: mostWrites, ...options } = readOptions(args, defaults)
    requireBuilt()
    endOnSignal()
    const engine = embedded ? 'embedded' : 'postgres'
    const { kills, acknowledged, inFlight, wrong } = await killRepeatedly({
      ...options,
      engine,
      mostWrites,
      inspectEvery: 1,
      finishesJobs: true,
      report: (line) => console.log(line),
    })
    const what = `${kills} kills, ${acknowledged.toLocaleString('en')} acknowledged writes, ${inFlight} in flight`
    if (wrong.length === 0) {
      console.log(`\n${what}: nothing was lost, and all counters equal a recount.`)
      return
    }
    for (const line of wrong.slice(0, 20)) console.log(line)
    console.log(`\n${what}: ${wrong.length} things are WRONG.`)
    process.exitCode = 1
  },
}
