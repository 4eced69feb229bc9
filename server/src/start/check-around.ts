import { access, constants, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { checkFiles } from '../adapters/files/check.js'
import { createRedisClient, within } from '../adapters/redis-client.js'
import type { Config } from '../config/config.js'
import { createHttpRpc, RpcError } from '../foundation/chain/rpc.js'
import { checkDataDir, folderError } from './data-dir.js'
import { type Check, type Finding, failed, ok, warning } from './finding.js'

const REDIS_WITHIN_MS = 3_000

/** What else the configuration names: the data folder, the bucket and the chain. */
export function aroundChecks(config: Config): Check[] {
  const checks: (Check | false)[] = [
    { name: 'data folder', look: () => lookAtFolder(config.DATA_DIR) },
    config.FILES !== 'disk' && { name: 'bucket', look: () => lookAtBucket(config) },
    config.CHAIN_RPC_URL !== undefined && {
      name: 'chain',
      look: () => lookAtChain(config, config.CHAIN_RPC_URL ?? ''),
    },
  ]
  return checks.filter((check) => check !== false)
}

export function redisCheck({ REDIS_URL: url }: Config): Check[] {
  return url === undefined ? [] : [{ name: 'Redis', look: () => lookAtRedis(url) }]
}

async function lookAtFolder(dataDir: string): Promise<Finding> {
  if (await exists(dataDir)) {
    await checkDataDir(dataDir)
    return ok(`${resolve(dataDir)} can be written`)
  }
  let parent = resolve(dataDir)
  while (!(await exists(parent))) parent = dirname(parent)
  try {
    await access(parent, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw folderError(error, dataDir) ?? error
  }
  return ok(`${resolve(dataDir)} does not exist yet and can be made`)
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function lookAtBucket(config: Config): Promise<Finding> {
  await checkFiles(config)
  return ok('a file was written, read and removed')
}

// A chain that does not answer is waited for while the service runs. One that is not ours would be written into the database.
async function lookAtChain({ chainId, CONTRACT_ADDRESS: contract }: Config, url: string): Promise<Finding> {
  const rpc = createHttpRpc(url)
  try {
    const id = Number(await rpc.request('eth_chainId', []))
    if (id !== chainId)
      return failed(`CHAIN_RPC_URL: the chain there has the id ${id}, and CHAIN_ID is ${chainId}. Correct one of them.`)
    if (!contract) return ok(`it has the id ${id}`)
    if (((await rpc.request('eth_getCode', [contract, 'latest'])) ?? '0x') === '0x')
      return failed(
        `CONTRACT_ADDRESS: there is no contract at ${contract} on the chain ${id}. Correct it, or deploy the contract.`,
      )
    return ok(`it has the id ${id} and the contract`)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return warning(
      `CHAIN_RPC_URL: ${error.message}. Until it does, nothing is traded. Check the address and the network.`,
    )
  }
}

async function lookAtRedis(url: string): Promise<Finding> {
  let outage: Error | undefined
  const client = await createRedisClient({
    url,
    isPatient: true,
    onError: (error) => {
      outage ??= error
    },
  })
  try {
    await within(REDIS_WITHIN_MS, client.ping())
    return ok('it answers')
  } catch (error) {
    const { message } = outage ?? (error as Error)
    return warning(`${message.replace(/\.$/, '')}. Until it does, each instance counts limits for itself.`)
  } finally {
    client.destroy()
  }
}
