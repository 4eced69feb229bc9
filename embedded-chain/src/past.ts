import { EMBEDDED_CHAIN_ID } from './chain-id.js'
import type { BlockRecord, History, RpcBlock, RpcLog } from './history.js'
import { RpcError, type RpcHandler } from './json-rpc.js'
import type { WorldState } from './world-state.js'

/** The filter of `eth_getLogs`, without the blocks. */
export interface LogFilter {
  readonly address?: string | readonly string[] | null
  readonly topics?: readonly (string | readonly string[] | null)[] | null
}

/** The maximum number of logs in an answer; beyond it, a client has to request fewer blocks. */
export const MAX_LOGS = 20_000

/** Answers from the blocks on disk; undefined when the block is not among them. */
export function createPast(history: History) {
  async function recordOf(hash: unknown): Promise<BlockRecord | undefined> {
    const number = history.find(String(hash))
    return number === undefined ? undefined : history.block(number)
  }

  return {
    async blockByNumber(number: number, full: unknown) {
      const record = await history.block(number)
      return record && blockView(record.block, full)
    },
    async blockByHash(hash: unknown, full: unknown) {
      const record = await recordOf(hash)
      return record?.block.hash === String(hash).toLowerCase() ? blockView(record.block, full) : undefined
    },
    async transaction(hash: unknown) {
      return (await recordOf(hash))?.block.transactions.find(
        (transaction) => transaction.hash === String(hash).toLowerCase(),
      )
    },
    async receipt(hash: unknown) {
      const record = await recordOf(hash)
      const index =
        record?.block.transactions.findIndex((transaction) => transaction.hash === String(hash).toLowerCase()) ?? -1
      return record?.receipts[index]
    },
    async logs(from: number, to: number, filter: LogFilter): Promise<RpcLog[]> {
      const matches = createLogMatch(filter)
      const logs: RpcLog[] = []
      for await (const { block, receipts } of history.blocks(from, to)) {
        const matching = receipts.flatMap((receipt) => receipt.logs.filter(matches))
        for (const log of matching) logs.push({ ...log, blockTimestamp: block.timestamp })
        if (logs.length > MAX_LOGS) throw tooManyLogs()
      }
      return logs
    },
  }
}

export type Past = ReturnType<typeof createPast>

// Makes the blocks look too old to change, so that the EVM caches the answers.
const FAR_AHEAD = 10_000

/** The JSON-RPC from which an EVM reads that continues after the newest block of the history. */
export function createSource(history: History, past: Past, state: WorldState): RpcHandler {
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_chainId: () => `0x${EMBEDDED_CHAIN_ID.toString(16)}`,
    net_version: () => String(EMBEDDED_CHAIN_ID),
    eth_blockNumber: () => `0x${(history.last + FAR_AHEAD).toString(16)}`,
    eth_getBlockByNumber: ([number, full]) => past.blockByNumber(Number(number), full),
    eth_getBlockByHash: ([hash, full]) => past.blockByHash(hash, full),
    eth_getTransactionByHash: ([hash]) => past.transaction(hash),
    eth_getTransactionReceipt: ([hash]) => past.receipt(hash),
    eth_getBalance: ([address]) => state.account(String(address)).balance,
    eth_getTransactionCount: ([address]) => state.account(String(address)).nonce,
    eth_getCode: ([address]) => state.account(String(address)).code,
    eth_getStorageAt: ([address, key]) => state.slot(String(address), String(key)),
  }
  return async (method, params) => {
    const answer = answers[method]
    if (!answer) throw new RpcError(-32601, `${method} is not known here.`)
    return (await answer(params)) ?? null
  }
}

export function tooManyLogs(): RpcError {
  return new RpcError(-32005, `More than ${MAX_LOGS} logs match. Ask for fewer blocks at a time.`)
}

function blockView(block: RpcBlock, full: unknown) {
  return full === true ? block : { ...block, transactions: block.transactions.map(({ hash }) => hash) }
}

function createLogMatch({ address, topics }: LogFilter): (log: RpcLog) => boolean {
  const among = (wanted: string | readonly string[] | null | undefined) => {
    if (wanted === null || wanted === undefined) return undefined
    const list = typeof wanted === 'string' ? [wanted] : wanted
    return list.length > 0 ? new Set(list.map((item) => item.toLowerCase())) : undefined
  }
  const addresses = among(address)
  const places = (topics ?? []).map(among)
  return (log) =>
    (!addresses || addresses.has(log.address)) &&
    log.topics.length >= places.length &&
    places.every((wanted, place) => !wanted || wanted.has(log.topics[place] ?? ''))
}
