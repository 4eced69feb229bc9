import { openJournal, startsAt } from './journal.js'
import { type DemoOptions, readOptions, USAGE } from './options.js'
import { play } from './play.js'
import { startService } from './start-service.js'
import { createReporter } from './terminal.js'
import { UsageError } from './usage-error.js'

try {
  const options = readOptions(process.argv.slice(2))
  if (options) await run(options)
  else process.stdout.write(USAGE)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function run({ story, folder, port, chainPort, speed, acts }: DemoOptions) {
  const journal = await openJournal(folder, story)
  process.stdout.write('Starting Rookery…\n')
  const service = await startService({ folder, port, chainPort, clock: startsAt(journal) })
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  void service.ended.then(() => stopping.abort())
  const announce = () =>
    process.stdout.write(`Rookery is ready at ${service.url}. Ctrl-C stops it; it goes on from there next time.\n`)
  if (!startsAt(journal)) announce()
  const { url, tellTime } = service
  const onAct = createReporter(journal.script, process.stdout)
  try {
    const { signal } = stopping
    await play({ url, folder, journal, speed, until: acts, signal, tellTime, onAct, onToday: announce })
  } finally {
    process.stdout.write('\nStopping…\n')
    await service.stop()
  }
}
