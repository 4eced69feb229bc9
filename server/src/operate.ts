#!/usr/bin/env node
import { Problem } from './base/problem.js'
import { ConfigError, loadEnvFile, readConfig } from './config/config.js'
import { BackupError } from './features/backup/backup-error.js'
import { findCommand, usage } from './operate/commands.js'
import { failCommand } from './start/failure.js'

// npm run operate -- <command>: operator commands. With DATABASE_URL they work beside the running service. The embedded
// database belongs to one process, so the service has to be stopped first, except for a backup.

const words = process.argv.slice(2)
const asked = findCommand(words)

try {
  loadEnvFile()
  if (asked) {
    const { command, args, options } = asked
    const outcome = await command.run(readConfig(), args, options)
    const { text, data = { text }, exitCode } = typeof outcome === 'string' ? { text: outcome, exitCode: 0 } : outcome
    process.stdout.write(`${'json' in options ? JSON.stringify(data) : text}\n`)
    process.exitCode = exitCode
  } else {
    process.stderr.write(usage())
    process.exitCode = 2
  }
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof Problem || error instanceof BackupError)) failCommand(error)
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
