import type { ChainPins } from '@rookery/sdk'
import type { Command } from 'commander'
import { UsageError } from './failures.js'

export interface ChainOptions {
  readonly rpcUrl?: string
  readonly contract?: string
  readonly chainId?: string
}

/** Adds options for what a wallet shall not take from the service. */
export function addChainOptions(command: Command): Command {
  return command
    .option('--rpc-url <url>', 'Node of the chain. Default: the one that the service names.')
    .option('--contract <address>', 'The only contract that transactions may go to. Default: the one of the service.')
    .option('--chain-id <id>', 'The only chain that transactions are signed for. Default: the one of the service.')
}

export function chainPinsOf({ rpcUrl, contract, chainId }: ChainOptions): ChainPins {
  return {
    ...(rpcUrl !== undefined && { rpcUrl: checkNode(rpcUrl) }),
    ...(contract !== undefined && { contract: checkAddress(contract) }),
    ...(chainId !== undefined && { chainId: checkChainId(chainId) }),
  }
}

function checkNode(text: string): string {
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol))
    throw new UsageError(`--rpc-url takes an address like https://node.example, not ${text}.`)
  return text
}

function checkAddress(text: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new UsageError(`--contract takes 0x and 40 hex digits, not ${text}.`)
  // In lower case no checksum can be wrong.
  return text.toLowerCase() as `0x${string}`
}

function checkChainId(text: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new UsageError(`--chain-id takes a number like 56, not ${text}.`)
  return Number(text)
}
