import {
  agentSharesAbi,
  encodeBuy,
  encodeClaimFees,
  encodeLaunch,
  encodeSell,
  encodeTransfer,
  quoteBuy,
  signLaunchPermit,
  subjectAddress,
} from '@rookery/contracts'
import { at } from '@rookery/contracts/test/chain'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { type Address, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ShareChain, startShareServer } from '../../../test/chain.js'
import { readShareState } from '../../../test/share-figures.js'
import type { TestServer } from '../../../test/start-server.js'
import type { Follower } from '../../foundation/chain/follow-chain.js'

let shareChain: ShareChain
let server: TestServer
let follower: Follower
const names = ['rook', 'crow'] as const
const wallets = () => [3, 4, 5, 6].map((index) => at(shareChain.evm.accounts, index).address)
const owner = () => at(wallets(), 0)

beforeAll(async () => {
  ;({ shareChain, server, follower } = await startShareServer())
  for (const name of names)
    await server.deps.db.run(sql`
      insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
      values (${server.deps.ids.next()}, ${name}, ${name}, ${name}, ${owner().toLowerCase()},
        ${subjectAddress(owner(), name)}, 'active', now(), now())`)
})
afterAll(() => server.stop())

/** Sends without a simulation; a transaction that the contract refuses fails in its block and changes nothing. */
async function send(from: Address, data: Hex, value = 0n): Promise<void> {
  const gas = numberToHex(500_000)
  const transaction = { from, to: shareChain.contract, data, value: numberToHex(value), gas, gasPrice: '0x0' as const }
  await shareChain.evm.provider.request({ method: 'eth_sendTransaction', params: [transaction] })
}

async function launch(name: string): Promise<void> {
  const subject = subjectAddress(owner(), name)
  const request = {
    chainId: shareChain.chain.id,
    contract: shareChain.contract,
    owner: owner(),
    name,
    deadline: 10n ** 10n,
  }
  const data = encodeLaunch({ subject, name, permit: await signLaunchPermit(shareChain.operator, request), amount: 2n })
  await send(owner(), data, quoteBuy(0n, 2n).priceAfterFeeWei)
}

type Action = {
  do: 'launch' | 'buy' | 'sell' | 'give' | 'claim' | 'wait'
  agent: number
  who: number
  to: number
  amount: number
}

async function perform({ do: what, agent, who, to, amount: count }: Action): Promise<void> {
  const name = at(names, agent)
  const subject = subjectAddress(owner(), name)
  const from = at(wallets(), who)
  const amount = BigInt(count)
  if (what === 'launch') await launch(name)
  else if (what === 'buy') await send(from, encodeBuy({ subject, amount }), 10n ** 20n)
  else if (what === 'sell') await send(from, encodeSell({ subject, amount }))
  else if (what === 'give') await send(from, encodeTransfer({ subject, to: at(wallets(), to), amount }))
  else if (what === 'claim') await send(from, encodeClaimFees({ subject }))
  else await shareChain.client.mine({ blocks: 1 })
}

const action: fc.Arbitrary<Action> = fc.record({
  do: fc.constantFrom('launch', 'buy', 'buy', 'sell', 'give', 'claim', 'wait'),
  agent: fc.nat(1),
  who: fc.nat(3),
  to: fc.nat(3),
  amount: fc.integer({ min: 1, max: 3 }),
})

/** Reads the supplies, balances and waiting fees from the contract itself. */
async function readContract(): Promise<unknown[]> {
  const contract = { address: shareChain.contract, abi: agentSharesAbi }
  const rows = []
  for (const name of names) {
    const subject = subjectAddress(owner(), name)
    const supply = await shareChain.client.readContract({ ...contract, functionName: 'sharesSupply', args: [subject] })
    const held = []
    for (const holder of wallets())
      held.push(
        Number(
          await shareChain.client.readContract({ ...contract, functionName: 'sharesBalance', args: [subject, holder] }),
        ),
      )
    const claimable = await shareChain.client.readContract({
      ...contract,
      functionName: 'claimableFees',
      args: [subject],
    })
    rows.push({ name, supply: Number(supply), held, claimable: claimable.toString() })
  }
  return rows
}

/** The same from the database. */
async function readIndex(): Promise<unknown[]> {
  const { db } = server.deps
  const rows = []
  for (const name of names) {
    const agent = await db.one<{ supply: number; subject: string }>(
      sql`select supply, subject from agent where username = ${name}`,
    )
    const held = await db.many<{ holder: string; amount: number }>(
      sql`select holder, amount from share_holding where subject = ${agent.subject}`,
    )
    const { claimable } = await db.one<{ claimable: string }>(sql`
      select (coalesce((select sum(subject_fee_wei) from trade where subject = ${agent.subject}), 0)
        - coalesce((select sum(amount_wei) from fee_claim where subject = ${agent.subject}), 0))::text as claimable`)
    const amounts = new Map(held.map((row) => [row.holder, row.amount]))
    const heldNow = wallets().map((wallet) => amounts.get(wallet.toLowerCase()) ?? 0)
    rows.push({ name, supply: agent.supply, held: heldNow, claimable })
  }
  return rows
}

async function catchUp(): Promise<void> {
  // The follower accepts a chain that only got shorter after several rounds.
  for (let turn = 0; turn < 12; turn++) await follower.catchUp()
}

describe('following a real contract', () => {
  test('matches the contract after any reorganisation', async () => {
    await launch('rook')
    await catchUp()
    expect(await readIndex()).toEqual(await readContract())
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            lost: fc.array(action, { minLength: 1, maxLength: 12 }),
            kept: fc.array(action, { maxLength: 12 }),
            isSeen: fc.boolean(),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        async (forks) => {
          for (const { lost, kept, isSeen } of forks) {
            const snapshot = await shareChain.client.snapshot()
            for (const action of lost) await perform(action)
            if (isSeen) await catchUp()
            await shareChain.client.revert({ id: snapshot })
            await shareChain.client.increaseTime({ seconds: 7 })
            for (const action of kept) await perform(action)
            await catchUp()
            expect(await readIndex()).toEqual(await readContract())
          }
        },
      ),
      { numRuns: 6 },
    )
  })

  test('ends in the same state as reading from the beginning', async () => {
    const followed = await readShareState(server.deps.db)
    expect(followed.trades?.length).toBeGreaterThan(0)
    await server.deps.db.run(sql`update chain_block set hash = 'another chain'`)
    await server.deps.db.run(sql`update chain_cursor set hash = 'another chain'`)
    await catchUp()
    expect(server.logged.join()).toContain('everything is read anew')
    expect(await readShareState(server.deps.db)).toEqual(followed)
  })
})
