import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Command, UsageError } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { createProgressBar } from '@rookery/tooling/progress-bar'
import { textTable } from '@rookery/tooling/table'
import { requireBuilt, startProgram } from '../program/start-program.js'
import { seriesChart } from './chart.js'
import { soakPage } from './page.js'
import { soak } from './run.js'
import { seriesOf } from './series.js'

const DOCS = new URL('../../../docs/', import.meta.url)

export const command: Command = {
  summary: 'Keeps a service under mixed load, and says whether memory, handles and latency stay flat.',
  options: [
    ['--minutes <n>', 'how long (default 30)'],
    ['--agents <n>', 'how many agents call (default 20)'],
    ['--rate <n>', 'calls a second, over all agents (default 40)'],
    ['--listeners <n>', 'how many of the agents listen to live events (default 10)'],
    ['--seed <n>', 'other calls (default 1)'],
    ['--print', 'prints the figures and does not write docs/soak.md and docs/images/soak.svg'],
  ],
  async run(args) {
    const defaults = { minutes: 30, agents: 20, rate: 40, listeners: 10, seed: 1, print: false }
    const { print, ...options } = readOptions(args, defaults)
    if (options.minutes < 1 || options.agents < 1 || options.rate < 1)
      throw new UsageError('--minutes, --agents and --rate must be 1 at least')
    requireBuilt()
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    process.once('SIGTERM', () => stop.abort())
    const program = await startProgram({ UPLOAD_MB_PER_DAY: '0' })
    try {
      const bar = createProgressBar()
      const seconds = options.minutes * 60
      const result = await soak({
        ...options,
        url: program.url,
        signal: stop.signal,
        onSample: (sample) =>
          bar.update(`${sample.residentMb.toFixed(0)} MB, ${sample.files} files`, Math.round(sample.seconds), seconds),
      })
      const all = seriesOf(result.periods)
      const rows = all.map(({ name, trend }) => [
        name,
        trend.median.toFixed(1),
        trend.growth.toFixed(1),
        trend.isFlat ? 'flat' : 'GROWS',
      ])
      console.log(`\n${textTable(['figure', 'median', 'growth', 'verdict'], rows)}`)
      for (const [message, times] of result.failures) console.log(`${times} calls failed: ${message}`)
      if (!print) {
        const title = `${options.minutes} minutes of mixed load`
        await writeFile(new URL('images/soak.svg', DOCS), seriesChart(title, all))
        await writeFile(new URL('soak.md', DOCS), soakPage(result, all, options, new Date().toISOString().slice(0, 10)))
        console.log(`\nWrote ${fileURLToPath(new URL('soak.md', DOCS))}.`)
      }
      if (result.failures.size > 0 || all.some(({ trend }) => !trend.isFlat)) process.exitCode = 1
    } finally {
      await program.stop()
    }
  },
}
