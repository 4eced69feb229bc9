import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  encodeBuy,
  encodeLaunch,
  encodeSell,
  GAS_LIMITS,
  quoteBuy,
  signLaunchPermit,
  subjectAddress,
} from '@rookery/contracts'
import { type EmbeddedChain, startEmbeddedChain } from '@rookery/embedded-chain'
import { createBank, PUBLIC_BANK_KEY } from '@rookery/embedded-chain/genesis'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { createProgressBar } from '@rookery/tooling/progress-bar'
import { textTable } from '@rookery/tooling/table'
import { type Hex, pad, parseEther, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

const WALLETS = 500
const AGENTS = 20
const BATCH = 100
const NEVER = 1_000_000_000

const operator = privateKeyToAccount(pad('0xaa', { size: 32 }))
const wallets = Array.from({ length: WALLETS }, (_, index) =>
  privateKeyToAccount(pad(toHex(index + 9001), { size: 32 })),
)
const owners = wallets.slice(0, AGENTS)
const subjects = owners.map(({ address }) => subjectAddress(address, 'rook'))
const log = { info: () => {}, error: console.error }

const HEADING = ['compaction', 'tx/s before', 'start after', 'ready s', 'replayed', 'replay tx/s', 'RSS MB', 'files MB']

export const command: Command = {
  summary: 'How soon the embedded chain is back after many trades, with compaction and by replay alone.',
  options: [
    ['--trades <n>', 'how many (default 10,000)'],
    ['--no-replay', 'with compaction only'],
  ],
  async run(args) {
    const { trades, 'no-replay': isCompactedOnly } = readOptions(args, { trades: 10_000, 'no-replay': false })
    const rows: Row[] = []
    for (const isCompacted of isCompactedOnly ? [true] : [true, false])
      rows.push(...(await measure(trades, isCompacted)))
    console.log(`\n${trades.toLocaleString('en')} trades\n\n${textTable(HEADING, rows)}`)
  },
}

const bank = createBank(PUBLIC_BANK_KEY)

type Row = readonly (string | number)[]

async function measure(trades: number, isCompacted: boolean): Promise<Row[]> {
  const rows: Row[] = []
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-bench-'))
  const options = {
    dataDir,
    port: 0,
    operator: operator.address,
    bankKey: PUBLIC_BANK_KEY,
    log,
    ...(isCompacted ? {} : { compactAfter: NEVER }),
  }
  const first = await startEmbeddedChain(options)
  await first.ready
  const fillSeconds = await fill(first, trades)
  const head = await headOf(first)
  // Closing compacts, so the start after a kill is the slowest.
  process.kill(first.pid ?? 0, 'SIGKILL')
  await first.close()
  for (const after of ['killed', 'stopped']) {
    const start = performance.now()
    const chain = await startEmbeddedChain(options)
    const listening = performance.now()
    await chain.ready
    const ready = performance.now()
    const { total } = chain.progress
    if ((await headOf(chain)) !== head) throw new Error('the restarted chain has another head')
    rows.push([
      isCompacted ? 'yes' : 'no',
      (trades / fillSeconds).toFixed(0),
      after,
      ((ready - start) / 1000).toFixed(2),
      total,
      total > 0 ? ((total / (ready - listening)) * 1000).toFixed(0) : '-',
      await rssMegabytes(chain.pid),
      ((await folderBytes(join(dataDir, 'chain'))) / 1e6).toFixed(1),
    ])
    await chain.close()
  }
  await rm(dataDir, { recursive: true })
  return rows
}

async function fill(chain: EmbeddedChain, trades: number): Promise<number> {
  const nonces = new Map<PrivateKeyAccount, number>()
  const sign = (wallet: PrivateKeyAccount, transaction: { data: Hex; value: bigint; gas: bigint }) => {
    const nonce = nonces.get(wallet) ?? 0
    nonces.set(wallet, nonce + 1)
    const fees = { type: 'eip1559', chainId: 31_337, maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n } as const
    return wallet.signTransaction({ ...fees, nonce, to: chain.contract, ...transaction })
  }
  const value = parseEther('1000')
  const gifts = wallets.map(({ address }, index) => bank.sign({ nonce: index + 2, to: address, value, gas: 30_000n }))
  await sendAll(chain, await Promise.all(gifts))
  const launches = owners.map(async (owner, index) => sign(owner, await launchOf(chain, owner, index)))
  await sendAll(chain, await Promise.all(launches))

  const bar = createProgressBar()
  let seconds = 0
  for (let done = 0; done < trades; done += 5_000) {
    const raws: Hex[] = []
    for (let trade = done; trade < Math.min(trades, done + 5_000); trade++) {
      const wallet = wallets[AGENTS + (trade % (WALLETS - AGENTS))] as PrivateKeyAccount
      const subject = subjects[trade % AGENTS] as Hex
      const isBuy = Math.floor(trade / (WALLETS - AGENTS)) % 2 === 0
      raws.push(
        await sign(
          wallet,
          isBuy
            ? { data: encodeBuy({ subject, amount: 1n }), value: parseEther('1'), gas: GAS_LIMITS.buy }
            : { data: encodeSell({ subject, amount: 1n }), value: 0n, gas: GAS_LIMITS.sell },
        ),
      )
    }
    const start = performance.now()
    await sendAll(chain, raws)
    seconds += (performance.now() - start) / 1000
    bar.update('trading', Math.min(trades, done + 5_000), trades)
  }
  bar.finish('trading', `${trades.toLocaleString('en')} trades`)
  return seconds
}

async function launchOf({ contract }: EmbeddedChain, { address: owner }: PrivateKeyAccount, index: number) {
  const subject = subjects[index] as Hex
  const terms = { chainId: 31_337, contract, owner, name: 'rook', deadline: 10n ** 10n }
  const permit = await signLaunchPermit(operator, terms)
  const data = encodeLaunch({ subject, name: 'rook', permit, amount: 2n })
  return { data, value: quoteBuy(0n, 2n).priceAfterFeeWei, gas: GAS_LIMITS.launch }
}

async function sendAll(chain: EmbeddedChain, raws: readonly Hex[]): Promise<void> {
  for (let at = 0; at < raws.length; at += BATCH) {
    const calls = raws.slice(at, at + BATCH).map((raw, id) => ({ id, method: 'eth_sendRawTransaction', params: [raw] }))
    for (const { error } of await rpc<{ error?: { message: string } }[]>(chain, calls))
      if (error) throw new Error(error.message)
  }
}

async function headOf(chain: EmbeddedChain): Promise<string> {
  const call = { id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] }
  return (await rpc<{ result: { hash: string } }>(chain, call)).result.hash
}

async function rpc<Answer>({ rpcUrl }: EmbeddedChain, body: object): Promise<Answer> {
  const answer = await fetch(rpcUrl, { method: 'POST', body: JSON.stringify(body) })
  return (await answer.json()) as Answer
}

async function rssMegabytes(pid: number | undefined): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
  return Number.isNaN(kilobytes) ? '-' : (kilobytes / 1000).toFixed(0)
}

async function folderBytes(folder: string): Promise<number> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ name }) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
