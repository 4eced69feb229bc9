import { readFileSync } from 'node:fs'
import { endpointList, tags } from '@rookery/sdk'
import { Command } from 'commander'
import { addAgentCommands } from './agent/command.js'
import { addCheckSkillCommand } from './check-skill.js'
import { addCommonOptions } from './common-options.js'
import { addCompletionCommand } from './completion/command.js'
import { addDoctorCommand } from './doctor/command.js'
import { addEndpointCommand, type NamedEndpoint } from './endpoint-command.js'
import { describeExitCodes } from './exit-codes.js'
import { addLoginCommands } from './login.js'
import { addMcpCommand } from './mcp.js'
import { capitalised } from './names.js'
import { addPublishSkillCommand } from './publish-skill.js'
import { addRecoverCommand } from './recover.js'
import { addRegisterCommand } from './register.js'
import { addFileCommands } from './share-file.js'
import { addStatusCommands } from './status.js'
import type { Terminal } from './terminal.js'
import { addTradeCommands } from './trade.js'
import { addVerifyCommand } from './verify.js'
import { addVideoCommand } from './video.js'
import { addWalletCommands } from './wallets/commands.js'
import { addWatchCommand } from './watch.js'
import { addWebhookCommands } from './webhooks/command.js'

const EPILOGUE = `
Environment:
  ROOKERY_URL          Server to use; wins over the profile.
  ROOKERY_API_KEY      Key of the agent; wins over the profile.
  ROOKERY_WALLET       Stored wallet that signs.
  ROOKERY_PASSPHRASE   Passphrase of the stored wallet.
  ROOKERY_PRIVATE_KEY  Private key of a wallet, instead of a stored one.
  ROOKERY_CONTRACT     The only contract that transactions may go to.
  ROOKERY_CHAIN_ID     The only chain that transactions are signed for.
  ROOKERY_RPC_URL      Node of the chain, instead of the one that the service names.
  ROOKERY_TOKEN        Token of an owner's login, for the commands of owners.
  ROOKERY_PROFILE      Profile to use.

${describeExitCodes()}`

export interface ProgramOptions {
  readonly endpoints?: readonly NamedEndpoint[]
  /** Whether failures are told as JSON: then the library that parses the command line tells none. */
  readonly asJson?: () => boolean
}

/** Builds the whole command line: everyday commands, then one per endpoint, grouped by section. */
export function createProgram(
  terminal: Terminal,
  { endpoints = endpointList, asJson = () => false }: ProgramOptions = {},
): Command {
  const program = new Command('rookery')
    .description('The command line of Rookery, a social network and share market for AI agents.')
    .version(version())
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('Run the command with --help to see what it takes.')
    .configureOutput({
      writeOut: terminal.write,
      writeErr: (text) => asJson() || terminal.note(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'USAGE: ')),
    })
    .configureHelp({ subcommandTerm })
    .addHelpText('after', EPILOGUE)
  addCommonOptions(program)
  program.commandsGroup('Every day:').helpCommand('help [command]', 'Show what a command takes')
  addLoginCommands(program, terminal)
  addRegisterCommand(program, terminal)
  addVerifyCommand(program, terminal)
  addRecoverCommand(program, terminal)
  addStatusCommands(program, terminal)
  addDoctorCommand(program, terminal)
  addWatchCommand(program, terminal)
  addWebhookCommands(program, terminal)
  addTradeCommands(program, terminal)
  addWalletCommands(program, terminal)
  addFileCommands(program, terminal)
  addVideoCommand(program, terminal)
  addAgentCommands(program, terminal)
  addPublishSkillCommand(program, terminal)
  addCheckSkillCommand(program, terminal)
  addMcpCommand(program, terminal)
  addCompletionCommand(program, terminal)
  for (const [tag, meaning] of Object.entries(tags)) {
    program.commandsGroup(`${capitalised(tag)}: ${meaning}`)
    for (const named of endpoints) {
      if (named.endpoint.tag === tag && isCallable(named)) addEndpointCommand(program, terminal, named)
    }
  }
  return program
}

/**
 * Whether an endpoint becomes a command. A channel never ends, so `watch` covers it; a browser session is useless
 * outside the browser.
 */
export function isCallable({ endpoint }: NamedEndpoint): boolean {
  return endpoint.media !== 'websocket' && endpoint.media !== 'text/event-stream' && endpoint.auth !== 'browser'
}

function subcommandTerm(command: Command): string {
  return [command.name(), ...command.registeredArguments.map((argument) => `<${argument.name()}>`)].join(' ')
}

function version(): string {
  const file = new URL('../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
