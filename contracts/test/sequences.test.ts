import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import {
  agentSharesAbi,
  encodeBuy,
  encodeClaimFees,
  encodeClaimProtocolFees,
  encodeSell,
  encodeTransfer,
  feeOf,
  priceOf,
  quoteBuy,
} from '../ts/index.js'
import { at } from './chain.js'
import { type Market, openMarket } from './market.js'

/** The expected state of an agent, which can also be rebuilt from events. */
interface Agent {
  owner: Address
  supply: bigint
  balances: Map<Address, bigint>
  ownerFees: bigint
  protocolFees: bigint
}

/** What a wallet tries; a zero amount or a negative tip is a mistake on purpose. */
interface Action {
  kind: 'buy' | 'sell' | 'transfer' | 'claim' | 'claimProtocol'
  who: number
  to: number
  which: number
  amount: bigint
  tip: bigint
}

const actions = fc.array<Action>(
  fc.record({
    kind: fc.constantFrom('buy', 'buy', 'buy', 'sell', 'sell', 'transfer', 'claim', 'claimProtocol'),
    who: fc.nat(3),
    to: fc.nat(3),
    which: fc.nat(1),
    amount: fc.bigInt(0n, 5n),
    tip: fc.bigInt(-1n, 3n),
  }),
  { minLength: 30, maxLength: 60 },
)

test('any sequence of actions ends as the rules say, and the events tell the same story', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (sequence) => {
      const market = await openMarket()
      const wallets = [market.alice, market.bob, market.carol, market.protocol]
      const agents = new Map<Address, Agent>()
      for (const [owner, name, amount] of [
        [market.alice, 'rook', 1n],
        [market.bob, 'crow', 4n],
      ] as const) {
        const subject = await market.shares.read.subjectOf([owner, name])
        await market.launch(owner, name, amount)
        agents.set(subject, newAgent(owner, amount, feeOf(priceOf(0n, amount))))
      }

      for (const action of sequence) {
        const [subject, agent] = at([...agents], action.which)
        const { data, value, error, apply } = plan(action, subject, agent, wallets, market.protocol)
        const sending = market.send(at(wallets, action.who), data, { value })
        if (error) await expect(sending, JSON.stringify(action, bigints)).rejects.toThrow(error)
        else await sending.then(apply)
        expect(await market.balanceOf(market.shares.address)).toBe(owedBy(agents))
      }

      expect(await chainState(market, [...agents.keys()], wallets)).toEqual(agents)
      expect(await stateFromEvents(market)).toEqual(agents)
    }),
    { numRuns: 15 },
  )
})

/** Works out what to send for an action, and the expected result. */
function plan(
  { kind, who, to, amount, tip }: Action,
  subject: Address,
  agent: Agent,
  wallets: Address[],
  protocol: Address,
) {
  const me = at(wallets, who)
  const other = at(wallets, to)
  const mine = agent.balances.get(me) ?? 0n
  const isLast = me === agent.owner && amount === mine
  const trade = (price: bigint, sign: bigint) => {
    agent.supply += sign * amount
    setBalance(agent, me, mine + sign * amount)
    agent.ownerFees += feeOf(price)
    agent.protocolFees += feeOf(price)
  }

  const moveError = () => {
    if (amount === 0n) return 'ZeroAmount()'
    if (amount > mine) return `BalanceTooSmall(${mine}, ${amount})`
    if (isLast) return `OwnerKeepsLastShare(${subject})`
    return undefined
  }
  const plans: Record<typeof kind, () => { data: Hex; value: bigint; error: string | undefined; apply: () => void }> = {
    buy() {
      const { priceWei, priceAfterFeeWei: cost } = quoteBuy(agent.supply, amount)
      const value = cost + tip < 0n ? 0n : cost + tip
      const short = value < cost ? `PaymentTooSmall(${cost}, ${value})` : undefined
      const error = amount === 0n ? 'ZeroAmount()' : short
      return { data: encodeBuy({ subject, amount }), value, error, apply: () => trade(priceWei, 1n) }
    },
    sell() {
      const apply = () => trade(priceOf(agent.supply - amount, amount), -1n)
      return { data: encodeSell({ subject, amount }), value: 0n, error: moveError(), apply }
    },
    transfer() {
      const error = me === other ? `InvalidReceiver(${other})` : moveError()
      const apply = () => {
        setBalance(agent, me, mine - amount)
        setBalance(agent, other, (agent.balances.get(other) ?? 0n) + amount)
      }
      return { data: encodeTransfer({ subject, to: other, amount }), value: 0n, error, apply }
    },
    claim() {
      const error = agent.ownerFees === 0n ? `NothingToClaim(${agent.owner})` : undefined
      return { data: encodeClaimFees({ subject }), value: 0n, error, apply: () => (agent.ownerFees = 0n) }
    },
    claimProtocol() {
      const error = agent.protocolFees === 0n ? `NothingToClaim(${protocol})` : undefined
      const data = encodeClaimProtocolFees({ subjects: [subject] })
      return { data, value: 0n, error, apply: () => (agent.protocolFees = 0n) }
    },
  }
  return plans[kind]()
}

function newAgent(owner: Address, supply: bigint, fees: bigint): Agent {
  return { owner, supply, balances: new Map([[owner, supply]]), ownerFees: fees, protocolFees: fees }
}

function setBalance({ balances }: Agent, wallet: Address, balance: bigint): void {
  if (balance === 0n) balances.delete(wallet)
  else balances.set(wallet, balance)
}

/** What the contract must hold: the value of all shares and the unclaimed fees. */
function owedBy(agents: Map<Address, Agent>): bigint {
  return [...agents.values()].reduce(
    (sum, { supply, ownerFees, protocolFees }) => sum + priceOf(0n, supply) + ownerFees + protocolFees,
    0n,
  )
}

async function chainState({ shares }: Market, subjects: Address[], wallets: Address[]): Promise<Map<Address, Agent>> {
  const agents = new Map<Address, Agent>()
  for (const subject of subjects) {
    const agent: Agent = {
      owner: await shares.read.sharesOwner([subject]),
      supply: await shares.read.sharesSupply([subject]),
      balances: new Map(),
      ownerFees: await shares.read.claimableFees([subject]),
      protocolFees: await shares.read.claimableProtocolFees([subject]),
    }
    for (const wallet of wallets) setBalance(agent, wallet, await shares.read.sharesBalance([subject, wallet]))
    agents.set(subject, agent)
  }
  return agents
}

async function stateFromEvents({ client, shares }: Market): Promise<Map<Address, Agent>> {
  const logs = await client.getContractEvents({
    address: shares.address,
    abi: agentSharesAbi,
    fromBlock: 0n,
    strict: true,
  })
  const agents = new Map<Address, Agent>()
  for (const log of logs) {
    if (log.eventName === 'Launched') agents.set(log.args.subject, newAgent(log.args.owner, 0n, 0n))
    const agent = 'subject' in log.args ? agents.get(log.args.subject) : undefined
    if (!agent) continue
    if (log.eventName === 'Trade') {
      agent.supply = log.args.supply
      setBalance(agent, log.args.trader, log.args.traderShareBalance)
      agent.ownerFees += log.args.subjectEthAmount
      agent.protocolFees += log.args.protocolEthAmount
    }
    if (log.eventName === 'Transfer') {
      setBalance(agent, log.args.from, log.args.fromBalance)
      setBalance(agent, log.args.to, log.args.toBalance)
    }
    if (log.eventName === 'FeesClaimed') agent.ownerFees -= log.args.amount
    if (log.eventName === 'ProtocolFeesClaimed') agent.protocolFees -= log.args.amount
  }
  return agents
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value
}
