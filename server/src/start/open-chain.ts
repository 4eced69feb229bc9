import { setTimeout as wait } from 'node:timers/promises'
import { type EmbeddedChain, startEmbeddedChain } from '@rookery/embedded-chain'
import { connectSharedChain } from '@rookery/embedded-chain/shared-chain'
import type { Logger } from 'pino'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { traced } from '../adapters/traces/traced.js'
import type { Traces } from '../adapters/traces/traces.js'
import { ConfigError } from '../base/config-error.js'
import type { LateClock } from '../base/late-clock.js'
import type { Config } from '../config/config.js'
import { type Chain, createChain } from '../foundation/chain/chain.js'
import { createHttpRpc, type Rpc } from '../foundation/chain/rpc.js'
import { explainChainRefusal } from '../foundation/folder/chain-refusal.js'
import { type Folder, hasEmbeddedChain } from '../foundation/folder/folder.js'
import { readOrMakeBankKey, readOrMakeOperatorKey } from '../foundation/secrets.js'

const SHARED_CHAIN_WITHIN_MS = 30_000
const SHARED_CHAIN_AGAIN_MS = 500

export function openChain(
  { CHAIN_RPC_URL, CONTRACT_ADDRESS, chainId }: Config,
  embedded: EmbeddedChain | undefined,
  traces?: Traces,
): Chain | undefined {
  if (embedded)
    return createChain({ id: embedded.chainId, contract: embedded.contract, rpc: openRpc(embedded.rpcUrl, traces) })
  if (!CHAIN_RPC_URL || !CONTRACT_ADDRESS) return undefined
  return createChain({ id: chainId, contract: CONTRACT_ADDRESS, rpc: openRpc(CHAIN_RPC_URL, traces) })
}

function openRpc(url: string, traces: Traces | undefined): Rpc {
  return traced(createHttpRpc(url), traces, {
    request: (method) => ({ name: `chain ${method}` }),
    batch: (calls) => ({ name: 'chain batch', attributes: { 'rookery.calls': calls.length } }),
  })
}

/** The embedded chain while it starts, and the operator of its contract. */
export interface StartingChain {
  readonly operator: PrivateKeyAccount | undefined
  readonly embedded: Promise<EmbeddedChain | undefined>
}

/** Starts the embedded chain if no other is configured. An error appears when `embedded` is awaited. */
export async function startChain(
  config: Config,
  folder: Folder,
  log: Logger,
  {
    isWanted,
    lateClock,
    closeLater,
  }: { isWanted: boolean; lateClock: LateClock | undefined; closeLater(close: () => Promise<void>): void },
): Promise<StartingChain> {
  const operator = await readOperator(config)
  if (isWanted && config.STAGING_CHAIN_URL) {
    const embedded = awaitSharedChain(config.STAGING_CHAIN_URL, operator, log)
    embedded.catch(() => {})
    return { operator, embedded }
  }
  if (!isWanted || !operator || !hasEmbeddedChain(config)) return { operator, embedded: Promise.resolve(undefined) }
  const bankKey = await readOrMakeBankKey(config.DATA_DIR)
  const embedded = startEmbeddedChain({
    dataDir: config.DATA_DIR,
    port: config.CHAIN_PORT,
    operator: operator.address,
    bankKey,
    origins: config.webOrigins,
    log,
    lateMs: lateClock?.lateMs ?? 0,
    identity: folder.id,
    mayMake: folder.mayMake('chain'),
    explain: explainChainRefusal,
  })
  embedded.catch(() => {})
  // Registered before it has started, so that a failure meanwhile does not leave it running.
  closeLater(async () => (await embedded.catch(() => undefined))?.close())
  return { operator, embedded }
}

/** Waits for a shared chain, which may be starting too, and refuses one that was made for other services. */
async function awaitSharedChain(
  url: string,
  operator: PrivateKeyAccount | undefined,
  log: Logger,
): Promise<EmbeddedChain> {
  const begunAt = performance.now()
  for (;;) {
    const chain = await connectSharedChain(url).catch((error: Error) => error)
    if (!(chain instanceof Error)) {
      if (chain.operator.toLowerCase() === operator?.address.toLowerCase()) return chain
      throw new ConfigError(
        `OPERATOR_PRIVATE_KEY is not the key of the operator of the chain at STAGING_CHAIN_URL (${chain.operator}). Set that one.`,
      )
    }
    const [why] = chain.message.split('\n')
    if (performance.now() - begunAt > SHARED_CHAIN_WITHIN_MS)
      throw new ConfigError(
        `STAGING_CHAIN_URL: no rookery-chain answers there (${why}). Start it, or correct the address.`,
      )
    log.warn(`Waiting for the chain of STAGING_CHAIN_URL: ${why}`)
    await wait(SHARED_CHAIN_AGAIN_MS)
  }
}

async function readOperator(config: Config): Promise<PrivateKeyAccount | undefined> {
  if (config.OPERATOR_PRIVATE_KEY) return privateKeyToAccount(config.OPERATOR_PRIVATE_KEY)
  return hasEmbeddedChain(config) ? privateKeyToAccount(await readOrMakeOperatorKey(config.DATA_DIR)) : undefined
}
