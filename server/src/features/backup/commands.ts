import { resolve } from 'node:path'
import { systemClock } from '../../base/clock.js'
import type { Config } from '../../config/config.js'
import { BackupError } from './backup-error.js'
import { checkBackup } from './check-backup.js'
import { totalSize } from './files.js'
import { makeBackup } from './make-backup.js'
import type { Manifest } from './manifest.js'
import { createProgress, type Progress, sizeText } from './progress.js'
import { restoreBackup } from './restore.js'

type Command = (config: Config, place: string, watch: { signal: AbortSignal; progress: Progress }) => Promise<string>

const commands: Record<string, Command> = {
  async backup(config, target, watch) {
    const { manifest, heldMs } = await makeBackup({ config, clock: systemClock, target, ...watch })
    const held = heldMs === undefined ? '' : ` The database was paused for ${heldMs} ms.`
    return `${resolve(target)} is a complete backup: ${contents(manifest)}.${held}\n${remarks(manifest)}`
  },
  async 'check-backup'(_, backup, watch) {
    const manifest = await checkBackup({ backup, ...watch })
    return `${resolve(backup)} is complete: ${contents(manifest)}, made at ${manifest.madeAt}.\n${remarks(manifest)}`
  },
  async restore({ DATA_DIR: dataDir }, backup, watch) {
    const manifest = await restoreBackup({ backup, dataDir, ...watch })
    return `${resolve(dataDir)} is restored: ${contents(manifest)}, as of ${manifest.madeAt}.\n${remarks(manifest)}\n${ERASED}`
  },
}

/** Finds one of the commands that make, check and restore backups. The command returns its output for the operator. */
export function findBackupCommand(
  name: string,
  place: string | undefined,
): ((config: Config) => Promise<string>) | undefined {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || place === undefined) return undefined
  return async (config) => {
    const progress = createProgress()
    const stop = new AbortController()
    const onSignal = () => stop.abort(new BackupError('Stopped. Nothing was left behind.'))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
    try {
      return await command(config, place, { signal: stop.signal, progress })
    } catch (error) {
      throw explainSystemError(error)
    } finally {
      progress.end()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
    }
  }
}

const ERASED =
  'Whoever was erased since is back: before others can reach the service, run `npm run operate -- erase-again <list>`.'

function contents({ database, chain, files }: Manifest): string {
  const parts = [`${files.length} files of ${sizeText(totalSize(files))}`]
  if (database) parts.push(`${database.agents} agents, ${database.tweets} tweets, ${database.trades} trades`)
  if (chain) parts.push(`the chain up to block ${chain.block}`)
  return parts.join('; ')
}

function remarks({ notes }: Manifest): string {
  return [...notes, 'It contains secrets: keep it where nobody else can read it.'].join('\n')
}

// The message of a system error, such as a full disk, names the file.
function explainSystemError(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  return new BackupError(`The command failed: ${error.message}`)
}
