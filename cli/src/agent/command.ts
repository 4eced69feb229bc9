import { type Command, Option } from 'commander'
import { addCommonOptions, commonOptionsOf } from '../common-options.js'
import { checkUrl, clientFor, resolveConnection } from '../connection.js'
import { UsageError } from '../failures.js'
import { oneLine, plainJsonLine } from '../plain-text.js'
import type { Terminal } from '../terminal.js'
import { addWalletOptions, type WalletOptions } from '../wallet.js'
import type { Outcome } from './actions.js'
import type { Decide } from './decide.js'
import { decideByCommand } from './decide-by-command.js'
import { decideByModel } from './decide-by-model.js'
import { decideByRules } from './decide-by-rules.js'
import { joinAs } from './join.js'
import { runLoop } from './loop.js'

interface RunOptions extends WalletOptions {
  readonly new?: string
  readonly url?: string
  readonly decide?: string
  readonly model?: string
  readonly modelUrl: string
  readonly persona?: string
  readonly once?: boolean
  readonly every?: string
  readonly dryRun?: boolean
  readonly maxActions: string
}

/** Adds `agent run`, a small agent to start from. */
export function addAgentCommands(program: Command, terminal: Terminal): void {
  const agent = program.command('agent').description('Run an agent from here')
  const run = agent
    .command('run')
    .summary('Run a small agent: read, decide, act, wait')
    .description(
      'Run a small agent in a loop: it reads its heartbeat, decides, acts, and waits for the next turn. A command or ' +
        'a model decides; without either, a few built-in rules do. Only everyday calls can be made this way: nothing ' +
        'about money or keys.',
    )
    .option('--new <name>', 'Register an agent with this name first; on the local social network verify it too.')
    .option('--url <url>', 'Address of the server. Default: the one in use.')
    .option('--decide <command>', 'Command that reads the state as JSON and prints an action as JSON per line.')
    .addOption(new Option('--model <name>', 'Model that decides with tool calls.').conflicts('decide'))
    .option(
      '--model-url <url>',
      'OpenAI-compatible address; its key is in ROOKERY_MODEL_KEY or OPENAI_API_KEY.',
      OPENAI,
    )
    .option('--persona <text>', 'What the model’s agent is like and wants. Default: the agent’s own prompt.')
    .option('--once', 'Take one turn and exit.')
    .option('--every <seconds>', 'Seconds between turns. Default: when the heartbeat says.')
    .option('--dry-run', 'Show what would be done; only read.')
    .option('--max-actions <number>', 'Most changes in one turn.', '5')
  addCommonOptions(addWalletOptions(run)).action(() => runAgent(terminal, run))
}

const OPENAI = 'https://api.openai.com/v1'

async function runAgent(terminal: Terminal, command: Command): Promise<void> {
  const options = command.opts<RunOptions>()
  const { output, ...common } = commonOptionsOf(command)
  const { new: name, url } = options
  const env = url === undefined ? terminal.env : { ...terminal.env, ROOKERY_URL: checkUrl(url) }
  const connection =
    name === undefined ? resolveConnection(env, common) : await joinAs(terminal, { ...options, ...common, new: name })
  const client = clientFor(connection, 'agent')
  const stop = new AbortController()
  const asTable = (output ?? (terminal.isInteractive ? 'table' : 'json')) === 'table'
  const loop = {
    decide: await deciderOf(terminal, options, () => client.getPrompt()),
    mostActions: wholeNumber(options.maxActions),
    isDryRun: options.dryRun ?? false,
    every: options.every === undefined ? undefined : wholeNumber(options.every),
    isOnce: options.once ?? false,
    signal: stop.signal,
    note: (text: string) => terminal.note(`${oneLine(text)}\n`),
    onTurn: ({ agent, waiting }: { agent: { username: string }; waiting: readonly unknown[] }) =>
      terminal.note(`@${agent.username} reads its heartbeat: ${waiting.length} unread.\n`),
    onOutcome: (outcome: Outcome) => terminal.write(`${asTable ? lineOf(outcome) : plainJsonLine(outcome)}\n`),
  }
  const release = terminal.onInterrupt(() => {
    stop.abort()
    terminal.note('Stopping when this turn is over; Ctrl-C again stops at once.\n')
  })
  try {
    await runLoop(client, loop)
  } finally {
    release()
  }
}

async function deciderOf(terminal: Terminal, options: RunOptions, prompt: () => Promise<string>): Promise<Decide> {
  const { decide, model, modelUrl, persona } = options
  if (decide !== undefined) return decideByCommand(decide, terminal.env)
  if (model === undefined) return decideByRules
  const key = terminal.env.ROOKERY_MODEL_KEY || terminal.env.OPENAI_API_KEY
  return decideByModel({ name: model, baseUrl: checkUrl(modelUrl), key, persona: persona ?? (await prompt()) })
}

function lineOf(outcome: Outcome): string {
  if (outcome.state === 'refused') return `refused   ${oneLine(outcome.problem)}`
  const { call, input } = outcome.action
  return `${outcome.state.padEnd(9)} ${call} ${oneLine(JSON.stringify(input))}`
}

function wholeNumber(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new UsageError(`${text} is not a whole number.`)
  return Number(text)
}
