import type { KeyStore, LocalTool, ToolSet } from '@rookery/mcp'
import { type Command, Option } from 'commander'
import type { PrivateKeyAccount } from 'viem/accounts'
import { addChainOptions, type ChainOptions, chainPinsOf } from './chain-pins.js'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { type Connection, clientFor, resolveConnection } from './connection.js'
import { reserveSpending } from './daily-spending.js'
import { UsageError } from './failures.js'
import { configPath } from './profiles.js'
import { requireRoomForKey, storeKey } from './stored-key.js'
import type { Terminal } from './terminal.js'
import { addWalletOptions, openWallet, type WalletOptions, walletNameOf } from './wallet.js'
import { hasPassphrase } from './wallets/passphrase.js'

interface McpOptions extends WalletOptions, ChainOptions {
  readonly tools: ToolSet
  readonly maxPerTrade?: string
  readonly maxPerDay?: string
}

/** Adds `mcp`, which serves the Model Context Protocol over stdin and stdout until stdin ends. */
export function addMcpCommand(program: Command, terminal: Terminal): void {
  const tools = new Option('--tools <set>', 'Which tools: those of an agent’s day, or all.')
  const command = program
    .command('mcp')
    .summary('Serve the Model Context Protocol over stdio')
    .description(
      'Serve the Model Context Protocol over stdin and stdout, for programs that start their servers themselves. With a ' +
        'wallet and both limits it also buys and sells; without, trades are only prepared.',
    )
    .addOption(tools.choices(['day', 'all']).default('day'))
    .option('--max-per-trade <bnb>', 'The most that one trade may move, in BNB.')
    .option('--max-per-day <bnb>', 'The most that all trades of a day (UTC) may move, in BNB.')
  addCommonOptions(addChainOptions(addWalletOptions(command))).action(() => runMcp(terminal, command))
}

async function runMcp(terminal: Terminal, command: Command): Promise<void> {
  const options = command.opts<McpOptions>()
  const connection = resolveConnection(terminal.env, commonOptionsOf(command))
  const client = clientFor(connection, 'optional')
  // Loaded here, because no other command needs it.
  const { createMcpServer, createServedCheck, serveStdio } = await import('@rookery/mcp')
  const keyStore = createKeyStore(terminal, connection)
  const localTools = await createLocalTools(terminal, connection, options)
  const version = command.parent?.version() ?? ''
  const isServed = createServedCheck(client)
  await new Promise<void>((resolve) => {
    const onerror = ({ message }: Error) => terminal.note(`${message}\n`)
    const create = () => createMcpServer({ client, tools: options.tools, version, isServed, localTools, keyStore })
    serveStdio(create, { onerror })
    process.stdin.once('close', resolve)
  })
}

/** Creates the tools that sign. There are none without a wallet. */
export async function createLocalTools(
  terminal: Terminal,
  connection: Connection,
  options: McpOptions,
): Promise<LocalTool[]> {
  const limits = [options.maxPerTrade, options.maxPerDay].filter((limit) => limit !== undefined)
  if (limits.length === 1) throw new UsageError('Pass both limits, --max-per-trade and --max-per-day, or none.')
  const pins = chainPinsOf(options, terminal)
  if (limits.length === 0 && (options.rpcUrl ?? options.contract ?? options.chainId) !== undefined)
    throw new UsageError(
      '--rpc-url, --contract and --chain-id are for trades: pass --max-per-trade and --max-per-day too.',
    )
  const wallet = await findWallet(terminal, connection, options)
  if (!wallet && limits.length > 0)
    throw new UsageError('Limits are for a wallet: pass --wallet or --key-file as well.')
  if (!wallet) return []
  const { createJoinTool, createTradeTools } = await import('@rookery/mcp')
  const trades = limits.length === 2 ? createTradeTools(wallet, createLimits(terminal, options, wallet), pins) : []
  const keyStore = createKeyStore(terminal, connection, walletNameOf(terminal, options, connection.profile))
  return [createJoinTool(wallet, keyStore), ...trades]
}

/** Opens the wallet that signs, if there is one. Nobody can be asked for a passphrase: stdin is the protocol. */
async function findWallet(
  terminal: Terminal,
  { profile }: Connection,
  options: McpOptions,
): Promise<PrivateKeyAccount | undefined> {
  if (options.passphraseStdin)
    throw new UsageError(
      'Standard input is the protocol here, so that no passphrase can be read from it. Set ROOKERY_PASSPHRASE or pass --passphrase-file.',
    )
  const name = walletNameOf(terminal, options, profile)
  if (name === undefined && options.keyFile === undefined && !terminal.env.ROOKERY_PRIVATE_KEY) return undefined
  if (name === undefined || hasPassphrase(terminal, options)) return openWallet(terminal, options, profile)
  const missing = `The passphrase of wallet ${name} is missing. Set ROOKERY_PASSPHRASE or pass --passphrase-file.`
  const isAskedFor = options.wallet !== undefined || terminal.env.ROOKERY_WALLET || options.maxPerTrade !== undefined
  if (isAskedFor) throw new UsageError(missing)
  terminal.note(`${missing} Without it nothing is signed.\n`)
  return undefined
}

function createLimits({ env }: Terminal, { maxPerTrade, maxPerDay }: McpOptions, { address }: PrivateKeyAccount) {
  const perDayWei = parseBnb(maxPerDay)
  const reserve = (wei: bigint) => reserveSpending(env, address, { wei, mostWei: perDayWei })
  return { perTradeWei: parseBnb(maxPerTrade), perDayWei, reserve }
}

/** Keeps new keys in the profile, as `register` does, with the stored wallet that the agent belongs to. */
function createKeyStore(terminal: Terminal, connection: Connection, wallet?: string): KeyStore {
  return {
    check: () => requireRoomForKey(terminal, connection, {}),
    async keep(key) {
      await storeKey(terminal, connection, { ...key, ...(wallet !== undefined && { wallet }) })
      return `The API key is in profile ${connection.profileName} of ${configPath(terminal.env)}, and this session uses it.`
    },
  }
}

/** Decimal BNB as wei. */
export function parseBnb(text = ''): bigint {
  const [, whole = '', fraction = ''] = /^([0-9]{1,9})(?:\.([0-9]{1,18}))?$/.exec(text) ?? []
  if (whole === '') throw new UsageError(`${text} is not an amount of BNB. Write it like 0.25.`)
  return BigInt(whole) * 10n ** 18n + BigInt(fraction.padEnd(18, '0'))
}
