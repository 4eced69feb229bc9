import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@rookery/sdk'
import { findNginx } from '@rookery/tooling/find-programs'
import { findPostgres, startPostgres } from '@rookery/tooling/postgres'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Program, startProgram } from './start-program.js'
import { startProxy } from './start-proxy.js'
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

/** The configuration of nginx in compose.yaml passes on what callers need, also when one instance has just stopped. */
async function callThroughProxy(folder: string, { one, two, apiKey }: { one: Program; two: Program; apiKey: string }) {
  const proxy = await startProxy(folder, [one.url, two.url])
  try {
    await expect.poll(proxy.isAnswering, WITHIN).toBe(true)
    const client = createClient({ baseUrl: proxy.url, apiKey })
    const tooLargeElsewhere = new Blob([new Uint8Array(2_000_000)])
    await expect(client.uploadFile({ file: tooLargeElsewhere })).rejects.toMatchObject({ status: 415 })
    const events = await fetch(`${proxy.url}/v1/events?topics=trades`, { headers: { 'X-API-Key': apiKey } })
    const { value } = (await events.body?.getReader().read()) ?? {}
    expect([events.status, value?.length]).toEqual([200, expect.any(Number)])
    const socket = new WebSocket(`${proxy.url.replace('http', 'ws')}/v1/realtime`)
    await new Promise((done, fail) => socket.once('open', done).once('error', fail))
    socket.terminate()
    await one.kill()
    for (let call = 0; call < 10; call++) expect((await fetch(`${proxy.url}/v1/config`)).status).toBe(200)
  } finally {
    await proxy.stop()
  }
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
    if (findNginx()) await callThroughProxy(folder, { one, two, apiKey: maker.apiKey })
    await Promise.all([one.kill(), two.stop(), worker.stop()])
  }, 300_000)

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
