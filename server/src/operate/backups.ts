import { findBackupCommand } from '../features/backup/commands.js'
import type { Command } from './command.js'

/** The commands that make, check and restore backups of the data folder. */
export const backupCommands: readonly Command[] = [
  backupCommand('backup', 'copy all data to a new folder, while the service runs or is stopped'),
  backupCommand('check-backup', 'see whether a backup is whole'),
  backupCommand('restore', 'bring a backup into an empty DATA_DIR'),
]

function backupCommand(name: string, summary: string): Command {
  return {
    name,
    arguments: ['<folder>'],
    summary,
    run: (config, [folder]) => {
      const run = findBackupCommand(name, folder)
      if (!run) throw new Error(`There is no backup command ${name}`)
      return run(config)
    },
  }
}
