import { quoteBuy, quoteSell } from '@rookery/contracts'
import { formatEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { type ShareMarket, startShareMarket } from '../../../test/share-market.js'

let market: ShareMarket
let alice: SeededAgent
let bob: SeededAgent
let carol: SeededAgent
let owner: SeededAgent['client']

beforeAll(async () => {
  market = await startShareMarket()
  ;({ alice, bob, carol } = await market.server.seed.agents('alice', 'bob', 'carol'))
  await market.fund(alice, bob)
  await market.buy(alice, alice, 3)
  await market.buy(bob, alice, 2)
  await market.sell(bob, alice)
  owner = (await market.server.seed.login('alice')).client
})
afterAll(() => market.stop())

const low = (address: string) => address.toLowerCase()
/** Fees of the trades so far: three shares at the launch, two more, one sold. */
const FIRST_WEI = quoteBuy(0n, 3n).subjectFeeWei + quoteBuy(3n, 2n).subjectFeeWei + quoteSell(5n, 1n).subjectFeeWei
const amounts = (claimableWei: bigint, claimedWei: bigint) => ({
  claimableBNB: formatEther(claimableWei),
  claimableWei: String(claimableWei),
  claimedBNB: formatEther(claimedWei),
  claimedWei: String(claimedWei),
  earnedBNB: formatEther(claimableWei + claimedWei),
  earnedWei: String(claimableWei + claimedWei),
})

describe('GET /v1/fees', () => {
  test('shows the agent and its owner what waits and what was earned, to the wei', async () => {
    const fees = await alice.client.getFees({})
    expect(await owner.getFees({})).toEqual(fees)
    expect(await owner.getFees({ agentId: 'alice' })).toEqual(fees)
    expect(fees).toMatchObject({
      blockNumber: (await market.server.deps.chain?.head())?.number,
      ...amounts(FIRST_WEI, 0n),
      agents: [
        {
          agent: { username: 'alice' },
          subject: alice.subject,
          walletAddress: low(alice.walletAddress),
          ...amounts(FIRST_WEI, 0n),
        },
      ],
    })
    expect(await bob.client.getFees({})).toMatchObject({ ...amounts(0n, 0n), agents: [{ agent: { username: 'bob' } }] })
  })

  test('shows what was earned day by day, newest first', async () => {
    // The chain has a clock of its own.
    const head = await market.server.deps.chain?.head()
    const ahead = (head?.at.getTime() ?? 0) - market.server.clock.now().getTime()
    market.server.clock.advance(ahead)
    const { byDay: days } = await alice.client.getFees({ days: 2 })
    expect(days).toHaveLength(2)
    expect(days[0]?.date).toBe(head?.at.toISOString().slice(0, 10))
    expect(days.reduce((sum, { earnedWei }) => sum + BigInt(earnedWei), 0n)).toBe(FIRST_WEI)
    expect(days.reduce((sum, { tradesCount }) => sum + tradesCount, 0)).toBe(3)
    expect((await alice.client.getFees({})).byDay).toHaveLength(30)
    owner = (await market.server.seed.login('alice')).client
  })

  test('is for the agent and its owner alone', async () => {
    expect(await refused(market.server.client().getFees({}))).toBe('401 UNAUTHENTICATED')
    expect(await refused(bob.client.getFees({ agentId: 'alice' }))).toBe('403 NOT_THE_OWNER')
    const other = (await market.server.seed.login('bob')).client
    expect(await refused(other.getFees({ agentId: 'alice' }))).toBe('403 NOT_THE_OWNER')
    expect(await refused(other.prepareFeeClaim({ agentId: 'alice' }))).toBe('403 NOT_THE_OWNER')
    expect(await refused(other.listFeeClaims({ agentId: 'alice' }))).toBe('403 NOT_THE_OWNER')
    expect(await refused(owner.getFees({ agentId: 'nobody_here' }))).toBe('404 AGENT_NOT_FOUND')
  })
})

describe('collecting', () => {
  test('pays what waits to the agent’s wallet, and is on record once indexed', async () => {
    const claim = await owner.prepareFeeClaim({})
    expect(claim).toMatchObject({
      agentId: alice.id,
      subject: alice.subject,
      receiver: low(alice.walletAddress),
      amountWei: String(FIRST_WEI),
      amountBNB: formatEther(FIRST_WEI),
      warnings: [],
      transaction: { to: market.chain.contract, value: '0x0', gasLimit: '150000', chainId: 31_337 },
    })
    expect(claim.summary).toBe(
      `Collect ${formatEther(FIRST_WEI)} BNB of fees that trades of @alice earned, paid to ${low(alice.walletAddress)}.`,
    )
    // Any wallet may pay the gas; the money goes to the agent's.
    const paid = await alice.client.prepareFeeClaim({ walletAddress: bob.wallet.address })
    expect(paid.transaction).toEqual(claim.transaction)
    const [before = 0n] = (await market.server.deps.chain?.balancesOf([alice.walletAddress])) ?? []
    const transactionHash = await market.send(bob.wallet, paid.transaction)
    expect(await market.server.deps.chain?.balancesOf([alice.walletAddress])).toEqual([before + FIRST_WEI])
    // Read from the chain, before anything is indexed.
    expect(await alice.client.getFees({})).toMatchObject(amounts(0n, FIRST_WEI))
    expect((await alice.client.listFeeClaims({})).data).toEqual([])
    await market.follow()
    expect(await alice.client.getFees({})).toMatchObject(amounts(0n, FIRST_WEI))
    const { data } = await owner.listFeeClaims({ agentId: 'alice' })
    expect(data).toMatchObject([
      {
        transactionHash,
        status: 'final',
        subject: { address: alice.subject, username: 'alice' },
        receiver: low(alice.walletAddress),
        amountWei: String(FIRST_WEI),
        amountBNB: formatEther(FIRST_WEI),
      },
    ])
    expect((await alice.client.getTrade({ transactionHash })).feeClaims).toEqual(data)
  })

  test('is refused when nothing waits, and before the launch', async () => {
    expect(await refused(alice.client.prepareFeeClaim({}))).toBe('409 NOTHING_TO_CLAIM')
    expect(await refused(bob.client.prepareFeeClaim({}))).toBe('403 AGENT_NOT_LAUNCHED')
  })

  test('continues with what comes afterwards', async () => {
    await market.buy(bob, alice)
    const more = quoteBuy(4n, 1n).subjectFeeWei
    expect(await alice.client.getFees({})).toMatchObject(amounts(more, FIRST_WEI))
    const { transaction, warnings } = await alice.client.prepareFeeClaim({ walletAddress: carol.wallet.address })
    expect(warnings.map(({ code }) => code)).toEqual(['INSUFFICIENT_FUNDS'])
    await market.send(alice.wallet, transaction)
    await market.follow()
    expect(await alice.client.getFees({})).toMatchObject(amounts(0n, FIRST_WEI + more))
    expect((await alice.client.listFeeClaims({ limit: 1 })).data).toMatchObject([{ amountWei: String(more) }])
    expect((await alice.client.listFeeClaims({ limit: 1 })).meta.total).toBe(2)
  })
})
