import { Argument, type Command } from 'commander'
import { addCommonOptions, commonOptionsOf } from '../common-options.js'
import { show } from '../output.js'
import type { Terminal } from '../terminal.js'
import { bashScript } from './bash.js'
import { fishScript } from './fish.js'
import { type CompletedCommand, completionTree } from './tree.js'
import { zshScript } from './zsh.js'

const scripts: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** Adds `completion`, which prints a script that lets a shell complete commands, options and their values. */
export function addCompletionCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('completion')
    .summary('Print a script that completes commands in a shell')
    .description(
      'Print a script that completes commands, options and their values in a shell.\n\n' +
        'bash: put  source <(rookery completion bash)  into ~/.bashrc\n' +
        'zsh:  put  source <(rookery completion zsh)  into ~/.zshrc, after compinit\n' +
        'fish: rookery completion fish > ~/.config/fish/completions/rookery.fish',
    )
    .addArgument(new Argument('<shell>', 'Which shell.').choices(Object.keys(scripts)))
  addCommonOptions(command).action((shell: string) =>
    show(terminal, scripts[shell]?.(completionTree(program)) ?? '', commonOptionsOf(command).output),
  )
}
