import { appendFile, cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDataDir, operator, startChain, walletOn } from '../test/market.js'
import { PUBLIC_BANK_KEY } from './genesis.js'
import { ChainRefusal } from './refusal.js'
import { type EmbeddedChain, startEmbeddedChain } from './start-chain.js'

const MINE = { identity: 'mine', mayMake: false }
const silent = { info: () => {}, error: () => {} }

// Two existing chains: one with only a journal, and one that was compacted and then continued.
let folders: Awaited<ReturnType<typeof makeDataDir>>
let dataDir: string
const at = (...path: string[]) => join(dataDir, 'chain', ...path)
const heads: Record<string, bigint> = {}

async function make(name: string, compactAfter: number): Promise<void> {
  const chain = await startChain(join(folders.dataDir, name), { identity: 'mine', compactAfter })
  for (let i = 0; i < 5; i++) await chain.faucet(operator.address)
  heads[name] = await walletOn(chain).getBlockNumber()
  await chain.close()
}

beforeAll(async () => {
  folders = await makeDataDir()
  await make('plain', 1000)
  await make('compacted', 4)
})
afterAll(() => folders.remove())

let copied: Awaited<ReturnType<typeof makeDataDir>>
async function use(name: string): Promise<void> {
  copied = await makeDataDir()
  dataDir = copied.dataDir
  await cp(join(folders.dataDir, name, 'chain'), at(), { recursive: true, filter: (file) => !file.endsWith('lock') })
}
afterEach(() => copied.remove())

/** Why the chain does not start, whether that is found at once or later. */
async function refusal(): Promise<string> {
  let chain: EmbeddedChain | undefined
  const error = await (async () => {
    chain = await startEmbeddedChain({
      dataDir,
      port: 0,
      operator: operator.address,
      bankKey: PUBLIC_BANK_KEY,
      log: silent,
      ...MINE,
    })
    await chain.ready
    return new Error('it started')
  })().catch((error: Error) => error)
  await chain?.close()
  expect(error).toBeInstanceOf(ChainRefusal)
  expect(error.message).toContain(at())
  expect(error.message).not.toContain('\n')
  return error.message
}

async function cut(file: string, bytes: number): Promise<void> {
  await truncate(at(file), bytes)
}

const firstBlocks = async () => (await readdir(at())).filter((name) => name.startsWith('blocks-'))[0] ?? ''
const generation = async () =>
  (JSON.parse(await readFile(at('chain.json'), 'utf8')) as { generation: number }).generation

describe('a chain without compaction', () => {
  beforeEach(() => use('plain'))

  test.each([
    ['its manifest is missing', () => rm(at('chain.json')), /chain\.json is not there/],
    ['its folder is missing', () => rm(at(), { recursive: true }), /chain\.json is not there/],
    ['its manifest is cut', () => cut('chain.json', 20), /chain\.json cannot be read/],
    ['its journal is missing', () => rm(at('journal-0')), /journal-0 is missing/],
    [
      'its journal is empty',
      () => cut('journal-0', 0),
      /journal-0 is damaged: it has 0 whole lines, and had \d+ before/,
    ],
    ['its journal is cut in the first line', () => cut('journal-0', 50), /journal-0 is damaged: it has 0 whole lines/],
    ['its journal is cut later', () => cut('journal-0', 20_000), /journal-0 is damaged: it has \d whole lines/],
    ['its journal has rubbish in it', () => writeFile(at('journal-0'), 'rubbish\n'), /journal-0 is damaged in line 1/],
  ])('does not start over when %s', async (_, damage, reason) => {
    await damage()
    const before = await readdir(at()).catch(() => [])
    expect(await refusal()).toMatch(reason)
    const left = async () => (await readdir(at())).filter((name) => name !== 'lock')
    expect(await left()).toEqual(before.filter((name) => name !== 'lock'))
  })

  test('is refused when it belongs to another installation', async () => {
    const text = await readFile(at('chain.json'), 'utf8')
    await writeFile(at('chain.json'), text.replace('"mine"', '"theirs"'))
    expect(await refusal()).toContain('belongs to theirs, not to mine')
  })

  test('is adopted when it comes from a version without installation ids', async () => {
    const { folder, lines, ...old } = JSON.parse(await readFile(at('chain.json'), 'utf8'))
    expect([folder, lines]).toEqual(['mine', expect.any(Number)])
    await writeFile(at('chain.json'), JSON.stringify(old))
    const chain = await startChain(dataDir, MINE)
    expect(await walletOn(chain).getBlockNumber()).toBe(heads.plain)
    await chain.close()
    await cut('journal-0', 0)
    await refusal()
  })

  test('drops a line that a crash left incomplete if everything acknowledged is present', async () => {
    await appendFile(at('journal-0'), '1800000000 0x02f8b')
    const chain = await startChain(dataDir, MINE)
    expect(await walletOn(chain).getBlockNumber()).toBe(heads.plain)
    await chain.close()
  })
})

describe('a chain with compaction', () => {
  beforeEach(() => use('compacted'))

  test.each([
    ['its state is missing', async () => rm(at(`state-${await generation()}.gz`)), /state-\d\.gz is missing/],
    ['its state is cut', async () => cut(`state-${await generation()}.gz`, 30), /state-\d\.gz/],
    ['its index is missing', () => rm(at('index')), /index/],
    ['its index is cut', () => cut('index', 10), /index is damaged/],
    ['its first blocks are missing', async () => rm(at(await firstBlocks())), /first blocks are missing/],
    ['its journal is empty', async () => cut(`journal-${await generation()}`, 0), /it has 0 whole lines/],
    ['its journal is cut', async () => cut(`journal-${await generation()}`, 10), /it has 0 whole lines/],
  ])('does not start over when %s', async (_, damage, reason) => {
    await damage()
    expect(await refusal()).toMatch(reason)
  })

  test('continues', async () => {
    const chain = await startChain(dataDir, MINE)
    expect(await walletOn(chain).getBlockNumber()).toBe(heads.compacted)
    await chain.faucet(operator.address)
    await chain.close()
  })
})

describe('a running chain', () => {
  beforeEach(() => use('plain'))

  test('whose files were removed does not start over when its process restarts', async () => {
    let onEnd = (_: string) => {}
    const ends = new Promise<string>((done) => {
      onEnd = (message) => message.includes('is missing') && done(message)
    })
    const log = { info: () => {}, error: ({ message }: { message: string }) => onEnd(message) }
    const chain = await startChain(dataDir, { identity: 'mine', log })
    await rm(at(), { recursive: true })
    await mkdir(at())
    process.kill(chain.pid ?? 0, 'SIGKILL')
    expect(await ends).toContain('chain.json is not there')
    await chain.close()
  })
})
