import { randomBytes } from 'node:crypto'
import { makeDataDir, startChain, walletOn } from '@rookery/embedded-chain/test/market'
import { type Client, type ClientOptions, createClient } from '@rookery/sdk'
import { type Program, startProgram } from '@rookery/tooling/start-program'
import { Pool } from 'pg'
import { createTestDatabase } from '../database.js'
import { startReceiver } from '../receiver.js'
import { startS3Server } from '../s3-server.js'
import { createSeed, type SeededAgent } from '../seed.js'
import { OPERATOR_PRIVATE_KEY } from '../share-market.js'
import { placeProgram } from './kept-program.js'

/** A kept release, and this version. */
export type Version = 'old' | 'new'

/** The built programs of two versions, web and worker, on one database, chain and bucket. */
export async function openTwoVersions(release: string) {
  const [database, kept, receiver, bucket, folder] = await Promise.all([
    createTestDatabase({ isEmpty: true }),
    placeProgram(release),
    startReceiver(),
    startS3Server('bucket'),
    makeDataDir(),
  ])
  const chain = await startChain(folder.dataDir, { shared: { host: '127.0.0.1', names: [] } })
  const pool = new Pool({ connectionString: database.env.DATABASE_URL })
  const env = {
    DATABASE_URL: database.env.DATABASE_URL ?? '',
    SERVER_SECRET: randomBytes(32).toString('hex'),
    CHAIN_POLL_MS: '100',
    OPERATOR_PRIVATE_KEY,
    WEBHOOKS_ALLOW_PRIVATE: 'yes',
    SHARED_ANSWERS_MS: '0',
    FILES: 's3://bucket/files',
    S3_ENDPOINT: bucket.url,
    AWS_REGION: 'test-region',
    AWS_ACCESS_KEY_ID: 'test-key',
    AWS_SECRET_ACCESS_KEY: 'test-secret',
  }
  const staging = { STAGING_CHAIN_URL: chain.rpcUrl }
  // It knows of no chain that several instances share but a real one.
  const real = {
    CHAIN_RPC_URL: chain.rpcUrl,
    CHAIN_PUBLIC_RPC_URL: chain.rpcUrl,
    CHAIN_ID: '31337',
    CONTRACT_ADDRESS: chain.contract,
  }
  const chains = { old: release === '0.1.0' ? real : staging, new: staging }
  const started: Program[] = []
  const urls = { old: '', new: '' }

  async function startOne(version: Version, role: 'web' | 'worker'): Promise<Program> {
    const program = await startProgram({
      env: { ...env, ...chains[version], ROLE: role },
      ...(version === 'old' && { checkout: kept.checkout }),
    })
    started.push(program)
    return program
  }

  const clientAt = (version: Version, options: Partial<ClientOptions> = {}): Client =>
    createClient({ baseUrl: urls[version], attempts: 1, ...options })

  return {
    pool,
    receiver,
    startOne,
    /** Starts a web and a worker; the first applies the migrations. */
    async start(version: Version): Promise<readonly [web: Program, worker: Program]> {
      const web = await startOne(version, 'web')
      urls[version] = web.url
      return [web, await startOne(version, 'worker')]
    },
    clientAt,
    seedAt: (version: Version) =>
      createSeed(
        (options) => clientAt(version, options),
        async () => {},
      ),
    /** Buys shares by a quote of one version. */
    async buyAt(version: Version, { wallet, privateKey }: SeededAgent, of: string, amount: number): Promise<void> {
      const order = { side: 'buy', agentId: of, amount, walletAddress: wallet.address } as const
      const { transaction } = await clientAt(version).getShareQuote(order)
      if (!transaction) throw new Error('there is no transaction to send')
      const { to, data, value, gasLimit } = transaction
      await chain.faucet(wallet.address)
      const buyer = walletOn(chain, privateKey)
      const hash = await buyer.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gasLimit) })
      const { status } = await buyer.getTransactionReceipt({ hash })
      if (status !== 'success') throw new Error(`the transaction ${hash} reverted`)
    },
    /** What programs logged as an error. */
    errors: () =>
      started
        .flatMap((program) => program.output().split('\n'))
        .filter((line) => /^\{.*"level":(50|60)/.test(line) || line.startsWith('    at ')),
    async close() {
      await Promise.all(started.map((program) => program.kill()))
      await pool.end()
      await chain.close()
      await Promise.all([database.remove(), kept.remove(), receiver.stop(), bucket.close(), folder.remove()])
    },
  }
}

export type TwoVersions = Awaited<ReturnType<typeof openTwoVersions>>
