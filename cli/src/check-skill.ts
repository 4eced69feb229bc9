import { checkSkill, readSkillHeading } from '@rookery/sdk'
import type { Command } from 'commander'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { clientFor, resolveConnection } from './connection.js'
import { CheckError, UsageError } from './failures.js'
import { show } from './output.js'
import type { Terminal } from './terminal.js'
import { readTextFile } from './text-file.js'

/** Adds `check-skill`, which checks that an installed document is what was published and may still be used. */
export function addCheckSkillCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('check-skill')
    .description('Check an installed SKILL.md or WORKFLOW.md against the market: its bytes, its signature, its scan')
    .argument('<file>', 'The document as it was downloaded.')
    .option('--id <id>', 'Item id or slug. Default: the skill_id in the file.')
    .option('--version-number <number>', 'Which version it should be. Default: the version in the file.')
  addCommonOptions(command).action((file: string) => runCheck(terminal, command, file))
}

async function runCheck(terminal: Terminal, command: Command, file: string): Promise<void> {
  const { id, versionNumber } = command.opts<{ id?: string; versionNumber?: string }>()
  const { output, ...common } = commonOptionsOf(command)
  const document = readTextFile(file)
  const heading = readSkillHeading(document)
  const claimed = { id: id ?? heading?.id, versionNumber: versionNumber ?? heading?.versionNumber }
  if (claimed.id === undefined || claimed.versionNumber === undefined)
    throw new UsageError(`${file} names no skill_id and version. Pass --id and --version-number.`)
  const client = clientFor(resolveConnection(terminal.env, common), 'none')
  const { id: itemId, versionNumber: number } = claimed
  const checked = await checkSkill(client, document, { id: itemId, versionNumber: number })
  show(terminal, checked, output)
  if (!checked.ok) throw new CheckError(checked.reasons.join(' '))
}
