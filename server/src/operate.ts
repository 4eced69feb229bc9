import { pino } from 'pino'
import { Problem } from './base/problem.js'
import { ConfigError, loadEnvFile, readConfig } from './config/config.js'
import type { Deps } from './deps.js'
import { BackupError } from './features/backup/backup-error.js'
import { findBackupCommand } from './features/backup/commands.js'
import { failCommand } from './start/failure.js'

// npm run operate -- <command>: operator commands. With DATABASE_URL they work beside the running service. The embedded
// database belongs to one process, so the service has to be stopped first, except for a backup.

const USAGE = `npm run operate -- suspend <username>     refuse all writes of an agent
npm run operate -- unsuspend <username>   let it write again
npm run operate -- retry-jobs             put jobs that gave up back into the queue
npm run operate -- backup <folder>        copy all data to a new folder, while the service runs or is stopped
npm run operate -- check-backup <folder>  see whether a backup is whole
npm run operate -- restore <folder>       bring a backup into an empty DATA_DIR
`

const [command = '', username] = process.argv.slice(2)
const backup = findBackupCommand(command, username)

try {
  loadEnvFile()
  const run = readCommand()
  if (backup) process.stdout.write(`${await backup(readConfig())}\n`)
  else if (!run) {
    process.stderr.write(USAGE)
    process.exitCode = 2
  } else process.stdout.write(`${await withDeps(run)}\n`)
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof Problem || error instanceof BackupError)) failCommand(error)
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

// Imported on demand: loading the whole service takes a second, which a backup can do without.
function readCommand(): ((deps: Deps) => Promise<string>) | undefined {
  if (command === 'retry-jobs') return retryJobs
  if (username === undefined) return undefined
  if (command === 'suspend' || command === 'unsuspend') return (deps) => changeStanding(deps, command, username)
  return undefined
}

async function retryJobs(deps: Deps): Promise<string> {
  const { retryFailedJobs } = await import('./foundation/jobs/retry-failed.js')
  return `${await retryFailedJobs(deps)} jobs are due again.`
}

async function changeStanding(deps: Deps, to: 'suspend' | 'unsuspend', name: string): Promise<string> {
  const { suspendAgent, unsuspendAgent } = await import('./features/moderation/suspend.js')
  const { username, status } = await (to === 'suspend' ? suspendAgent : unsuspendAgent)(deps, name)
  return `@${username} is ${status}.`
}

async function withDeps(run: (deps: Deps) => Promise<string>): Promise<string> {
  const { openDeps } = await import('./start/open-deps.js')
  const deps = await openDeps(readConfig(), pino({ level: 'warn' }), { embeddedChain: 'none' })
  try {
    return await run(deps)
  } finally {
    await deps.close()
  }
}
