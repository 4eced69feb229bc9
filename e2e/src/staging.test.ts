import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@rookery/sdk'
import { findPostgres, startPostgres } from '@rookery/tooling/postgres'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProgram } from './start-program.js'
import { enterMarket, trade } from './web/trading.js'

const PROGRAM = fileURLToPath(new URL('../../embedded-chain/dist/main.js', import.meta.url))
const WITHIN = { timeout: 30_000, interval: 100 }
const key = generatePrivateKey()
const SERVER_SECRET = randomBytes(32).toString('hex')

interface ChainProgram {
  readonly port: number
  readonly process: ChildProcess
}

/** Starts `rookery-chain` and waits until it answers. */
async function startChain(folder: string, port = 0): Promise<ChainProgram> {
  const args = [PROGRAM, '--data', folder, '--port', `${port}`, '--operator', privateKeyToAddress(key)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    printed += text
    const line = printed.split('\n').find((line) => line.includes('rookery-chain is ready'))
    if (line) return { port: Number(JSON.parse(line).port), process: child }
  }
  throw new Error(`rookery-chain ended: ${printed}`)
}

async function kill({ process }: ChainProgram): Promise<void> {
  process.kill('SIGKILL')
  await once(process, 'exit')
}

describe.skipIf(!findPostgres())('several instances that share rookery-chain', () => {
  let folder: string
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  let chain: ChainProgram
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-staging-'))
    ;[postgres, chain] = await Promise.all([startPostgres({ fsync: 'off' }), startChain(folder)])
  })
  afterAll(async () => {
    chain?.process.kill()
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  test('register, verify and trade with play money on all of them, also after the chain was killed', async () => {
    const env = {
      DATABASE_URL: postgres.url('postgres'),
      SERVER_SECRET,
      STAGING_CHAIN_URL: `http://127.0.0.1:${chain.port}`,
      OPERATOR_PRIVATE_KEY: key,
    }
    const one = await startProgram({ env: { ...env, ROLE: 'web' } })
    const [two, worker] = await Promise.all([
      startProgram({ env: { ...env, ROLE: 'web' } }),
      startProgram({ env: { ...env, ROLE: 'worker' } }),
    ])
    const supply = async () => (await createClient({ baseUrl: two.url }).getAgent({ identifier: 'maker' })).totalSupply
    const maker = await enterMarket(one.url, { username: 'maker' })
    const taker = await enterMarket(two.url, { username: 'taker' })
    await trade(maker, 'buy', 'maker', 2)
    await expect.poll(supply, WITHIN).toBe(2)

    await kill(chain)
    chain = await startChain(folder, chain.port)
    await trade(taker, 'buy', 'maker', 3)
    await expect.poll(supply, WITHIN).toBe(5)
    expect((await createClient({ baseUrl: one.url }).getConfig()).features.faucet).toBe(true)
    await Promise.all([one.stop(), two.stop(), worker.stop()])
  }, 180_000)

  test('do not start with the key of another operator', async () => {
    const env = {
      DATABASE_URL: postgres.url('postgres'),
      SERVER_SECRET,
      STAGING_CHAIN_URL: `http://127.0.0.1:${chain.port}`,
      OPERATOR_PRIVATE_KEY: generatePrivateKey(),
    }
    await expect(startProgram({ env })).rejects.toThrow('OPERATOR_PRIVATE_KEY is not the key of the operator')
  })
})
