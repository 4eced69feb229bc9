import type { Logger } from 'pino'
import { type Config, listMisspelt, loadEnvFile, processNames, readConfig, variables } from '../config/config.js'
import { listDoubts } from '../config/exposure.js'
import { beginDatabase } from '../foundation/db/begin.js'
import { type Child, findChild } from './child.js'
import { checkDataDir } from './data-dir.js'
import { failStart } from './failure.js'
import { createLog } from './log.js'
import { checkPorts } from './ports.js'
import { checkBeforeStart } from './preflight.js'
import { startProcesses } from './processes.js'
import { requireTeller } from './told-time.js'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Starts the service, or ends the process with an explanation. */
export async function run(): Promise<void> {
  let config: Config | undefined
  let log: Logger | undefined
  let isFailing = false
  const fail = (error: unknown) => {
    if (!isFailing) failStart(error, config, log)
    isFailing = true
  }
  // An uncaught exception fails the start like any other error.
  process.on('uncaughtException', fail)
  // The first process of a container does not notice signals that it has no handler for.
  const leave = () => process.exit(0)
  for (const signal of SIGNALS) process.on(signal, leave)
  try {
    const child = findChild()
    const forgetEnvFile = loadEnvFile()
    config = readConfig()
    log = createLog(config)
    if (child) log = log.child({ process: child.name })
    for (const warning of [...listMisspelt(), ...listDoubts(config, variables.PLATFORM_NAME.default)]) log.warn(warning)
    if (config.CLOCK !== 'system') requireTeller(process)
    // The primary process has looked, and has the port.
    if (!child) config = await checkPorts(config)
    await checkBeforeStart(config, log)
    await checkDataDir(config.DATA_DIR)
    if (processNames(config).length > 1) {
      for (const signal of SIGNALS) process.off(signal, leave)
      forgetEnvFile()
      await startProcesses(config, log)
    } else await start(config, log, child)
    process.off('uncaughtException', fail)
    for (const signal of SIGNALS) process.off(signal, leave)
  } catch (error) {
    fail(error)
  }
}

// The database opens in its own thread while this one loads the rest of the program, which takes as long.
async function start(config: Config, log: Logger, child: Child | undefined): Promise<void> {
  const opening = await beginDatabase(config, log)
  const { startService } = await import('./service.js')
  await startService(config, log, opening, child)
}
