import { type Auth, type Client, MOST_WAIT_SECONDS, type UnsignedTransaction } from '@rookery/sdk'
import type { Command } from 'commander'
import type { PrivateKeyAccount } from 'viem/accounts'
import { addCommonOptions, commonOptionsOf, optionsOf } from './common-options.js'
import { clientFor, resolveConnection } from './connection.js'
import { exitCodes } from './exit-codes.js'
import { UsageError } from './failures.js'
import { show } from './output.js'
import { sendVisibly } from './send.js'
import type { Terminal } from './terminal.js'
import { addWalletOptions, openWallet, type WalletOptions, walletNameOf } from './wallet.js'
import { addressOf, getStoredWallet } from './wallets/store.js'

interface TradeOptions extends WalletOptions, FeeOptions {
  readonly slippageBps?: string
  readonly approvalId?: string
  readonly wait?: string
}

/** What the service prepared: a transaction, or a request that the owner must approve first. */
interface Prepared {
  readonly summary: string
  readonly warnings: readonly { readonly message: string }[]
  readonly transaction?: UnsignedTransaction | undefined
  readonly approval?: { readonly id: string; readonly status: string } | undefined
}

/**
 * Adds `buy`, `sell`, `transfer`, `fees` and `claim-fees`, whose transactions the service prepares and this program signs
 * and sends, and `address`, which prints the signer's address.
 */
export function addTradeCommands(program: Command, terminal: Terminal): void {
  for (const side of ['buy', 'sell'] as const) {
    const command = program
      .command(side)
      .description(
        `${side === 'buy' ? 'Buy' : 'Sell'} shares of an agent with a wallet; the first purchase launches them`,
      )
      .argument('<agent>', 'Username or id.')
      .argument('[amount]', 'How many shares.', '1')
      .option('--slippage-bps <n>', 'How much worse the price may get, in hundredths of a percent. Default: 100.')
    run(command, terminal, (client, wallet, [agentId = '', amount], options) => {
      const slippage = options.slippageBps === undefined ? {} : { slippageBps: wholeNumber(options.slippageBps) }
      const wanted = { side, agentId, amount: wholeNumber(amount), walletAddress: wallet.address }
      return client.getShareQuote({ ...wanted, ...slippage, ...approvalOf(options) })
    })
  }
  const transfer = program
    .command('transfer')
    .description('Give shares of an agent to another wallet')
    .argument('<agent>', 'Username or id.')
    .argument('<to>', 'Address of the wallet that receives them.')
    .argument('[amount]', 'How many shares.', '1')
  run(transfer, terminal, (client, wallet, [agentId = '', to, amount], options) => {
    const wanted = { agentId, to: to as `0x${string}`, amount: wholeNumber(amount), walletAddress: wallet.address }
    return client.getShareTransfer({ ...wanted, ...approvalOf(options) })
  })
  const claim = program
    .command('claim-fees')
    .description('Pay an agent’s unclaimed fees to its wallet')
    .argument('<agent>', 'Username or id.')
  run(claim, terminal, (client, _, [identifier = '']) => prepareClaim(client, identifier))
  addFeeCommands(program, terminal)
  const address = program.command('address').description('Print the address of a wallet')
  addCommonOptions(addWalletOptions(address)).action(async () => {
    const { output, ...common } = commonOptionsOf(address)
    const found = await addressOfWallet(terminal, address.opts<WalletOptions>(), common)
    show(terminal, output === 'json' ? { address: found } : `${found}\n`, output)
  })
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
  const prepare: Prepare = (client, { address: walletAddress }, _, options) =>
    client.prepareFeeClaim({ ...agentOf(options), walletAddress })
  run(collect, terminal, prepare, 'agent-or-owner')
}

interface FeeOptions {
  readonly agent?: string
}

const agentOf = ({ agent }: FeeOptions) => (agent === undefined ? {} : { agentId: agent })

type Prepare = (
  client: Client,
  wallet: PrivateKeyAccount,
  words: readonly (string | undefined)[],
  options: TradeOptions,
) => Promise<Prepared>

function run(command: Command, terminal: Terminal, prepare: Prepare, auth: Auth = 'optional'): void {
  if (auth === 'optional') command.option('--approval-id <id>', 'The owner’s approval, where one was needed.')
  command.option('--wait <seconds>', 'How long to wait until the service has indexed it. Default: 10; 0: not at all.')
  addCommonOptions(addWalletOptions(command)).action(async () => {
    const options = optionsOf<TradeOptions>(command)
    const wait = waitOf(options)
    const { output, ...common } = commonOptionsOf(command)
    const connection = resolveConnection(terminal.env, common)
    const client = clientFor(connection, auth)
    const wallet = await openWallet(terminal, options, connection.profile)
    const { summary, warnings, transaction, approval } = await prepare(client, wallet, command.processedArgs, options)
    terminal.note(`${[summary, ...warnings.map(({ message }) => message)].join('\n')}\n`)
    if (!transaction) {
      if (approval) terminal.endWith(exitCodes.approval)
      return show(terminal, { sent: false, approval: approval ?? null }, output)
    }
    const { hash, blockNumber, indexed } = await sendVisibly(terminal, client, wallet, { transaction, wait })
    const sent = { sent: true, transactionHash: hash, blockNumber: Number(blockNumber) }
    show(terminal, wait > 0 ? { ...sent, indexed } : sent, output)
  })
}

function waitOf({ wait = String(MOST_WAIT_SECONDS) }: TradeOptions): number {
  const seconds = wholeNumber(wait)
  if (seconds > MOST_WAIT_SECONDS) throw new UsageError(`--wait takes at most ${MOST_WAIT_SECONDS} seconds.`)
  return seconds
}

const approvalOf = ({ approvalId }: TradeOptions) => (approvalId === undefined ? {} : { approvalId })

function wholeNumber(text = ''): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new UsageError(`${text} is not a whole number.`)
  return Number(text)
}

const CLAIM_GAS = '150000'

async function prepareClaim(client: Client, identifier: string): Promise<Prepared> {
  const { chain } = await client.getConfig()
  if (!chain) throw new UsageError('This service has no chain.')
  const { subject, username } = await client.getAgent({ identifier })
  const { createPublicClient, encodeFunctionData, formatEther, http, parseAbi } = await import('viem')
  const abi = parseAbi(['function claimFees(address)', 'function claimableFees(address) view returns (uint256)'])
  const reader = createPublicClient({ transport: http(chain.rpcUrl) })
  const args = [subject] as const
  const wei = await reader.readContract({ address: chain.contract, abi, functionName: 'claimableFees', args })
  const summary = `${formatEther(wei)} ${chain.nativeCurrency.symbol} of unclaimed fees for @${username}.`
  if (wei === 0n) return { summary, warnings: [] }
  const data = encodeFunctionData({ abi, functionName: 'claimFees', args })
  const transaction = { to: chain.contract, data, value: '0x0', gasLimit: CLAIM_GAS, chainId: chain.id } as const
  return { summary, warnings: [], transaction }
}
