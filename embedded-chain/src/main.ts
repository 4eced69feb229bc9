#!/usr/bin/env node
/**
 * `rookery-chain`: the embedded chain as a program of its own, so that several services share it.
 *
 *   rookery-chain --data FOLDER --operator ADDRESS [--port 8545] [--host 127.0.0.1] [--name NAME …] [--origin URL …]
 *
 *   --operator   the account that permits launches: that of the services' OPERATOR_PRIVATE_KEY, which may be set here instead
 *   --name       a name by which services call it, such as that of its container
 *   --origin     the address of a page that may call it from a browser
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeWhole } from '@rookery/host'
import { type Address, type Hex, isAddress, isHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { ChainLog } from './chain-log.js'
import { startEmbeddedChain } from './start-chain.js'

const log: ChainLog = {
  info: (facts, message) => report({ level: 'info', ...facts, message }),
  error: (facts, message) => report({ level: 'error', ...facts, event: message }),
}

await main().catch((error: Error) => {
  process.stderr.write(`rookery-chain cannot start: ${error.message}\n`)
  process.exit(1)
})

async function main(): Promise<void> {
  const { data, port, host, name, origin, operator } = readArguments()
  const dataDir = resolve(data)
  const chain = await startEmbeddedChain({
    dataDir,
    port,
    operator: operatorOf(operator),
    bankKey: await readOrMakeBankKey(dataDir),
    origins: origin,
    shared: { host, names: name },
    log,
  })
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, async () => {
      if (isStopping) return
      isStopping = true
      await chain.close()
      process.exit(0)
    })
  await chain.ready
  const { chainId, contract, priceFeed } = chain
  const address = new URL(chain.rpcUrl)
  report({ level: 'info', message: 'rookery-chain is ready', port: address.port, chainId, contract, priceFeed })
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      port: { type: 'string', default: '8545' },
      host: { type: 'string', default: '127.0.0.1' },
      name: { type: 'string', multiple: true, default: [] },
      origin: { type: 'string', multiple: true, default: [] },
      operator: { type: 'string' },
    },
  })
  const { data } = values
  if (!data) throw new Error('--data is missing: the folder that keeps the chain.')
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) throw new Error('--port must be 0 to 65535.')
  return { ...values, data, port: Number(values.port) }
}

function operatorOf(given: string | undefined): Address {
  const key = process.env.OPERATOR_PRIVATE_KEY
  if (given === undefined && isHex(key) && key.length === 66) return privateKeyToAddress(key)
  if (given !== undefined && isAddress(given, { strict: false })) return given
  throw new Error('--operator must be the address of OPERATOR_PRIVATE_KEY, or that variable must be set.')
}

async function readOrMakeBankKey(dataDir: string): Promise<Hex> {
  const file = join(dataDir, 'bank-key')
  const existing = await read(file)
  if (existing) return existing as Hex
  const key: Hex = `0x${randomBytes(32).toString('hex')}`
  await writeWhole(file, key)
  return key
}

async function read(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return text?.trim()
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`)
}
