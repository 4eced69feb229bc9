import { createServer } from 'node:net'
import { pino } from 'pino'
import { atPort, type Config, ConfigError, loadEnvFile, readConfig } from './config.js'
import { beginDatabase } from './db/begin.js'

try {
  loadEnvFile()
  await start(await withPort(readConfig()))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`Rookery cannot start: ${error.message}\n`)
  process.exitCode = 1
}

// The database opens in its thread while this one loads the rest of the program, which takes as long.
async function start(config: Config): Promise<void> {
  const log = pino({ level: config.LOG_LEVEL })
  const opening = await beginDatabase(config, log)
  const { startService } = await import('./service.js')
  await startService(config, log, opening)
}

// The public address contains the port, so a free one is found before anything else is opened.
async function withPort(config: Config): Promise<Config> {
  if (config.PORT !== 0) return config
  const port = await new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, config.HOST, () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
  return atPort(config, port)
}
