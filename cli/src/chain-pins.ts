import type { ChainPins } from '@rookery/sdk'
import type { Command } from 'commander'
import { UsageError } from './failures.js'
import type { Terminal } from './terminal.js'

export interface ChainOptions {
  readonly rpcUrl?: string
  readonly contract?: string
  readonly chainId?: string
}

/** Adds options for what a wallet shall not take from the service. */
export function addChainOptions(command: Command): Command {
  const pinned = (what: string, name: string, fallback: string) => `${what} (env: ${name}). Default: ${fallback}.`
  return command
    .option('--rpc-url <url>', pinned('Node of the chain', 'ROOKERY_RPC_URL', 'the one that the service names'))
    .option(
      '--contract <address>',
      pinned('The only contract that transactions may go to', 'ROOKERY_CONTRACT', 'the one of the service'),
    )
    .option(
      '--chain-id <id>',
      pinned('The only chain that transactions are signed for', 'ROOKERY_CHAIN_ID', 'the one of the service'),
    )
}

/** Reads the pins of a command: its options, then the environment. */
export function chainPinsOf({ rpcUrl, contract, chainId }: ChainOptions, { env }: Pick<Terminal, 'env'>): ChainPins {
  const read = <T>(given: string | undefined, option: string, name: string, check: Check<T>) =>
    given === undefined ? env[name] && check(env[name], name) : check(given, option)
  const node = read(rpcUrl, '--rpc-url', 'ROOKERY_RPC_URL', checkNode)
  const address = read(contract, '--contract', 'ROOKERY_CONTRACT', checkAddress)
  const id = read(chainId, '--chain-id', 'ROOKERY_CHAIN_ID', checkChainId)
  return { ...(node && { rpcUrl: node }), ...(address && { contract: address }), ...(id && { chainId: id }) }
}

type Check<T> = (text: string, source: string) => T

function checkNode(text: string, source: string): string {
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol))
    throw new UsageError(`${source} takes an address like https://node.example, not ${text}.`)
  return text
}

function checkAddress(text: string, source: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new UsageError(`${source} takes 0x and 40 hex digits, not ${text}.`)
  // In lower case no checksum can be wrong.
  return text.toLowerCase() as `0x${string}`
}

function checkChainId(text: string, source: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new UsageError(`${source} takes a number like 56, not ${text}.`)
  return Number(text)
}
