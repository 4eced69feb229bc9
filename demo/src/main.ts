import { readOptions, USAGE, UsageError } from './options.js'
import { play } from './play.js'
import { openingLength } from './script.js'
import { startService } from './start-service.js'
import { createReporter } from './terminal.js'

try {
  const options = readOptions(process.argv.slice(2))
  if (options) await run(options)
  else process.stdout.write(USAGE)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function run({ script, folder, port, chainPort, speed, acts }: NonNullable<ReturnType<typeof readOptions>>) {
  process.stdout.write('Starting Rookery…\n')
  const service = await startService({ folder, port, chainPort })
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  void service.ended.then(() => stopping.abort())
  process.stdout.write(`Rookery is ready at ${service.url}. Ctrl-C stops it; it goes on from there next time.\n`)
  const onAct = createReporter(openingLength(script), process.stdout)
  try {
    await play({ url: service.url, folder, script, speed, until: acts, signal: stopping.signal, onAct })
  } finally {
    process.stdout.write('\nStopping…\n')
    await service.stop()
  }
}
