import { type Auth, createWallet, MOST_WAIT_SECONDS, type Wallet } from '@rookery/sdk'
import type { Command } from 'commander'
import { addChainOptions, type ChainOptions, chainPinsOf } from './chain-pins.js'
import { addCommonOptions, commonOptionsOf, optionsOf } from './common-options.js'
import { clientFor, resolveConnection } from './connection.js'
import { exitCodes } from './exit-codes.js'
import { UsageError } from './failures.js'
import { parseBnb } from './mcp.js'
import { show } from './output.js'
import { type Announced, announce, sendVisibly } from './send.js'
import type { Terminal } from './terminal.js'
import { addWalletOptions, openWallet, type WalletOptions, walletNameOf } from './wallet.js'
import { addressOf, getStoredWallet } from './wallets/store.js'

interface TradeOptions extends WalletOptions, ChainOptions, FeeOptions {
  readonly slippageBps?: string
  readonly maxCost?: string
  readonly minProceeds?: string
  readonly maxGas?: string
  readonly approvalId?: string
  readonly wait?: string
}

/**
 * Adds `buy`, `sell`, `transfer`, `fees` and `claim-fees`, whose transactions this program checks, signs and sends, and
 * `address`, which prints the signer's address.
 */
export function addTradeCommands(program: Command, terminal: Terminal): void {
  const buy = addCurveCommand(program, 'buy', 'Buy shares of an agent with a wallet; the first purchase launches them')
  buy.option('--max-cost <bnb>', 'The most that price and fees together may cost, in BNB.')
  run(buy, terminal, ({ trade }, [agent = '', amount], options, confirm) => {
    const maxCostWei = bnbOf(options.maxCost)
    const wanted = { agent, amount: wholeNumber(amount), ...slippageOf(options), ...approvalOf(options), confirm }
    return trade.buy({ ...wanted, ...(maxCostWei !== undefined && { maxCostWei }) })
  })
  const sell = addCurveCommand(program, 'sell', 'Sell shares of an agent with a wallet')
  sell.option('--min-proceeds <bnb>', 'The least to receive after fees, in BNB.')
  run(sell, terminal, ({ trade }, [agent = '', amount], options, confirm) => {
    const minProceedsWei = bnbOf(options.minProceeds)
    const wanted = { agent, amount: wholeNumber(amount), ...slippageOf(options), ...approvalOf(options), confirm }
    return trade.sell({ ...wanted, ...(minProceedsWei !== undefined && { minProceedsWei }) })
  })
  const transfer = program
    .command('transfer')
    .description('Give shares of an agent to another wallet')
    .argument('<agent>', 'Username or id.')
    .argument('<to>', 'Address of the wallet that receives them.')
    .argument('[amount]', 'How many shares.', '1')
  run(transfer, terminal, ({ trade }, [agent = '', to, amount], options, confirm) =>
    trade.transfer({
      agent,
      to: to as `0x${string}`,
      amount: wholeNumber(amount),
      ...approvalOf(options),
      confirm,
    }),
  )
  const claim = program
    .command('claim-fees')
    .description('Pay an agent’s unclaimed fees to its wallet')
    .argument('<agent>', 'Username or id.')
  run(claim, terminal, ({ trade }, [agent = ''], _, confirm) => trade.claimFeesFor({ agent, confirm }))
  addFeeCommands(program, terminal)
  const address = program.command('address').description('Print the address of a wallet')
  addCommonOptions(addWalletOptions(address)).action(async () => {
    const { output, ...common } = commonOptionsOf(address)
    const found = await addressOfWallet(terminal, address.opts<WalletOptions>(), common)
    show(terminal, output === 'json' ? { address: found } : `${found}\n`, output)
  })
}

function addCurveCommand(program: Command, side: 'buy' | 'sell', description: string): Command {
  return program
    .command(side)
    .description(description)
    .argument('<agent>', 'Username or id.')
    .argument('[amount]', 'How many shares.', '1')
    .option('--slippage-bps <n>', 'How much worse the price may get, in hundredths of a percent. Default: 100.')
}

/** A stored wallet says its address without its passphrase. */
async function addressOfWallet(
  terminal: Terminal,
  options: WalletOptions,
  common: { readonly profile?: string },
): Promise<string> {
  const { profile } = resolveConnection(terminal.env, common)
  const name = walletNameOf(terminal, options, profile)
  const stored = name === undefined ? null : addressOf(getStoredWallet(terminal.env, name))
  if (stored === null) return (await openWallet(terminal, options, profile)).address
  const { getAddress } = await import('viem')
  return getAddress(stored)
}

/** Adds `fees`, which shows what trades earned, and `fees collect`. Both need the agent's key or its owner's token. */
function addFeeCommands(program: Command, terminal: Terminal): void {
  const whose = ['--agent <agent>', 'Username or id, for an owner of several agents.'] as const
  const fees = program
    .command('fees')
    .description('Show what trades of your agents’ shares earned')
    .option(...whose)
  addCommonOptions(fees).action(async () => {
    const { output, ...common } = commonOptionsOf(fees)
    const client = clientFor(resolveConnection(terminal.env, common), 'agent-or-owner')
    show(terminal, await client.getFees(agentOf(fees.opts<FeeOptions>())), output)
  })
  const collect = fees
    .command('collect')
    .description('Collect the fees that wait; they go to the agent’s wallet')
    .option(...whose)
  run(
    collect,
    terminal,
    ({ trade }, _, { agent }, confirm) => trade.claimFees({ ...(agent !== undefined && { agent }), confirm }),
    'agent-or-owner',
  )
}

interface FeeOptions {
  readonly agent?: string
}

const agentOf = ({ agent }: FeeOptions) => (agent === undefined ? {} : { agentId: agent })

/** What became of a trade. */
interface Outcome {
  readonly sent: boolean
  readonly quote: Announced
  readonly approval?: { readonly id: string; readonly status: string }
  readonly hash?: string
  readonly blockNumber?: bigint
  readonly indexed?: boolean
}

type Trade = (
  wallet: Wallet,
  words: readonly (string | undefined)[],
  options: TradeOptions,
  confirm: (announced: Announced) => void,
) => Promise<Outcome>

function run(command: Command, terminal: Terminal, trade: Trade, auth: Auth = 'optional'): void {
  if (auth === 'optional') command.option('--approval-id <id>', 'The owner’s approval, where one was needed.')
  command.option('--max-gas <bnb>', 'The most that gas may cost, in BNB. Default: 0.02.')
  command.option('--wait <seconds>', 'How long to wait until the service has indexed it. Default: 10; 0: not at all.')
  addCommonOptions(addChainOptions(addWalletOptions(command))).action(async () => {
    const options = optionsOf<TradeOptions>(command)
    const pins = chainPinsOf(options, terminal)
    const waitSeconds = waitOf(options)
    const maxGasWei = bnbOf(options.maxGas)
    const { output, ...common } = commonOptionsOf(command)
    const connection = resolveConnection(terminal.env, common)
    const client = clientFor(connection, auth)
    const account = await openWallet(terminal, options, connection.profile)
    const bounds = { ...pins, waitSeconds, ...(maxGasWei !== undefined && { maxGasWei }) }
    const { sent, quote, approval, hash, blockNumber, indexed } = await sendVisibly(
      terminal,
      account,
      (signer, confirm) => trade(createWallet(client, signer, bounds), command.processedArgs, options, confirm),
    )
    if (!sent) {
      announce(terminal, quote)
      if (approval) terminal.endWith(exitCodes.approval)
      return show(terminal, { sent, approval: approval ?? null }, output)
    }
    const made = { sent, transactionHash: hash, blockNumber: Number(blockNumber) }
    show(terminal, waitSeconds > 0 ? { ...made, indexed } : made, output)
  })
}

function waitOf({ wait = String(MOST_WAIT_SECONDS) }: TradeOptions): number {
  const seconds = wholeNumber(wait)
  if (seconds > MOST_WAIT_SECONDS) throw new UsageError(`--wait takes at most ${MOST_WAIT_SECONDS} seconds.`)
  return seconds
}

const slippageOf = ({ slippageBps }: TradeOptions) =>
  slippageBps === undefined ? {} : { slippageBps: wholeNumber(slippageBps) }
const bnbOf = (text: string | undefined) => (text === undefined ? undefined : parseBnb(text))
const approvalOf = ({ approvalId }: TradeOptions) => (approvalId === undefined ? {} : { approvalId })

function wholeNumber(text = ''): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new UsageError(`${text} is not a whole number.`)
  return Number(text)
}
