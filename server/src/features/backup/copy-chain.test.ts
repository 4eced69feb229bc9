import { cpSync, lstatSync, readFileSync, rmSync } from 'node:fs'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGenesis } from '@rookery/embedded-chain/genesis'
import { type Node, openNode } from '@rookery/embedded-chain/node'
import { bank, makeDataDir, operator, walletOn } from '@rookery/embedded-chain/test/market'
import { type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../base/clock.js'
import { checkChain } from './check-chain.js'
import { copyChain } from './copy-chain.js'

const silent = { begin: () => {}, add: () => {}, end: () => {} }
const { signal } = new AbortController()
const watch = { signal, onBytes: () => {} }
const COMPACT_AFTER = 6

let folder: Awaited<ReturnType<typeof makeDataDir>>
let oldHead: Node['head']
let newHead: Node['head']
const at = (name: string) => join(folder.dataDir, name)

// Copies of a chain's files before and after a compaction.
beforeAll(async () => {
  folder = await makeDataDir()
  const node = await openNode({
    folder: at('chain'),
    genesis: await createGenesis(operator.address, bank),
    clock: systemClock,
    compactAfter: COMPACT_AFTER,
    onProgress: () => {},
    onBlocks: () => {},
    onFailure: () => {},
  })
  const { address: to } = walletOn({ rpcUrl: 'http://localhost' }).account
  let nonce = node.head.number
  const send = async (): Promise<Hex> =>
    node.send(await bank.sign({ nonce: nonce++, to, value: parseEther('1'), gas: 100_000n }))
  while (node.ledger.journal.length < COMPACT_AFTER - 1) await send()
  oldHead = { ...node.head }
  duplicate('chain', 'before')
  await send()
  await send()
  newHead = { ...node.head }
  duplicate('chain', 'after')
  await node.close()
})
afterAll(() => folder.remove())

function duplicate(from: string, to: string): void {
  cpSync(at(from), at(to), { recursive: true, filter: (file) => !lstatSync(file).isSocket() })
}

const cursorAt = (block: Node['head']) => ({
  ...block,
  time: 0,
  confirmed: 0,
  final: 0,
  head: 0,
  checkedAt: new Date(0),
})
const manifestOf = (name: string) => JSON.parse(readFileSync(join(at(name), 'chain.json'), 'utf8'))

describe('the copy of a chain', () => {
  test('starts over when a compaction replaces the files meanwhile', async () => {
    expect([manifestOf('before').generation, manifestOf('after').generation]).toEqual([0, 1])
    duplicate('before', 'live')
    let isCompacted = false
    const meanwhile = {
      signal,
      onBytes() {
        if (isCompacted) return
        isCompacted = true
        duplicate('after', 'live')
        rmSync(join(at('live'), 'journal-0'))
      },
    }
    await copyChain(at('live'), at('copy'), meanwhile, silent)
    const { number: block, hash } = newHead
    expect(await checkChain(at('copy'), cursorAt(oldHead))).toEqual({ block, hash })
  }, 60_000)

  test('leaves out a line that was not yet acknowledged, and the private files of the process', async () => {
    duplicate('before', 'growing')
    await appendFile(join(at('growing'), 'journal-0'), '1767225600 0x02f8')
    await writeFile(join(at('growing'), 'state-1.gz.new'), 'a draft')
    await copyChain(at('growing'), at('cut'), watch, silent)
    const { number: block, hash } = oldHead
    expect(await checkChain(at('cut'), cursorAt(oldHead))).toEqual({ block, hash })
    expect(() => lstatSync(join(at('cut'), 'state-1.gz.new'))).toThrow('ENOENT')
  }, 60_000)

  test('is refused when it lacks the last block of the database, or a part of it is damaged or missing', async () => {
    await copyChain(at('before'), at('older'), watch, silent)
    await expect(checkChain(at('older'), cursorAt(newHead))).rejects.toThrow(
      `the database has followed block ${newHead.number}, which is not in it`,
    )
    await copyChain(at('before'), at('broken'), watch, silent)
    const journal = readFileSync(join(at('broken'), 'journal-0'), 'utf8')
    await writeFile(join(at('broken'), 'journal-0'), journal.replace(' 0x', ' 0y'))
    await expect(checkChain(at('broken'), undefined)).rejects.toThrow('The copy of the chain cannot be used')
    await rm(join(at('before'), 'journal-0'))
    await expect(copyChain(at('before'), at('none'), watch, silent)).rejects.toThrow('journal-0 is missing')
  }, 60_000)
})
