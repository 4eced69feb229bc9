import { endpointList, eventTypes, type LiveEvent } from '@rookery/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWebhookDispatcher } from '../src/features/webhooks/start.js'
import { oldNames } from '../src/foundation/old-names.js'
import { createAsyncApi } from '../src/http/asyncapi.js'
import { createOpenApi } from '../src/http/openapi.js'
import { startReceiver, type TestReceiver } from './receiver.js'
import type { SeededAgent } from './seed.js'
import { type ShareMarket, startShareMarket } from './share-market.js'

/** Names that do not follow the rule and stay, because others gave them. */
const given: Record<string, string> = {
  volume: 'specification, platform statistics',
  volume24h: 'specification, platform statistics',
  at: 'deployed clients, live events',
  minPriceBnb: 'deployed clients, filters of the agent list',
  maxPriceBnb: 'deployed clients, filters of the agent list',
  minHoldingValueBnb: 'deployed clients, filters of the agent list',
  maxHoldingValueBnb: 'deployed clients, filters of the agent list',
  minVolumeBnb: 'deployed clients, filters of the agent list',
  maxVolumeBnb: 'deployed clients, filters of the agent list',
  minTgeAt: 'deployed clients, filters of the agent list; takes unix seconds as well',
  maxTgeAt: 'deployed clients, filters of the agent list; takes unix seconds as well',
  value: 'deployed clients and JSON-RPC, a transaction as it is signed; transactionValueWei beside it is decimal',
  gasLimit: 'deployed clients, a transaction as it is signed; gas is no money',
  since: 'the word of list APIs for where a span begins; the rule in /SKILL.md names it',
  until: 'the word of list APIs for where a span ends; the rule in /SKILL.md names it',
}

/** Names that mean two kinds of figure, both given by others. */
const givenTwice: Record<string, string> = {
  id: 'the id of a chain is a number in EIP-155',
  trades: 'candles count them; a transaction lists them',
  nonce: 'a word in EIP-4361, a number in a transaction',
  agents: 'the map lists them; one of its groups counts them',
  follows: 'a day counts them; the map lists them',
  holders: 'the map lists how many each agent has',
  x: 'a column of the map; the place of a group',
  y: 'a column of the map; the place of a group',
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Member {
  readonly where: string
  readonly name: string
  readonly schema: Schema
  readonly deprecated: boolean
  /** All members of its object; unknown for a parameter. */
  readonly beside?: readonly string[]
}

const at = { serverUrl: 'http://localhost:3000', version: '0.0.0' }
const members = [...membersOf(createOpenApi(at), 'openapi'), ...membersOf(createAsyncApi(at), 'asyncapi')]

/** Every member of every schema in a document, and every parameter. */
function membersOf(value: unknown, where: string): Member[] {
  if (typeof value !== 'object' || value === null) return []
  const { properties, name, schema, deprecated = false } = value as Schema & { name?: string; schema?: Schema }
  const found: Member[] = Object.entries(typeof properties === 'object' ? properties : {}).map(([name, schema]) => ({
    where,
    name,
    schema,
    deprecated: schema.deprecated === true,
    beside: Object.keys(properties ?? {}),
  }))
  const parameter = 'in' in value && name && schema
  if (parameter) found.push({ where, name, schema: { ...value, ...schema }, deprecated })
  return [...found, ...Object.entries(value).flatMap(([key, inner]) => membersOf(inner, `${where}/${key}`))]
}

type Kind = 'BNB' | 'Wei' | 'At' | 'Unix' | 'number' | undefined

const isText = ({ type }: Schema) => [type].flat().includes('string')

/** What kind of figure a member is, by its schema. */
function kindOf(schema: Schema): Kind {
  const { pattern = '', format, description = '' } = schema
  if (/unix seconds/i.test(description)) return 'Unix'
  if (format === 'date-time') return 'At'
  if (pattern.includes('(\\.[0-9]{1,18})?')) return 'BNB'
  if (pattern === '^[0-9]+$' || (isText(schema) && /\bwei\b/i.test(description))) return 'Wei'
  return [schema.type].flat().some((type) => type === 'integer' || type === 'number') ? 'number' : undefined
}

const promised = (name: string) => name.match(/(?:[a-z0-9](BNB|Wei|At|Unix)|Bnb)$/)?.[1] as Kind

describe('names', () => {
  test('say the unit: BNB, Wei, At and Unix, unless the specification or deployed clients gave them', () => {
    const wrong = members.filter(({ name, schema, deprecated }) => {
      if (deprecated || name in given) return false
      const kind = kindOf(schema)
      const unit = kind === 'number' ? undefined : kind
      return promised(name) !== unit || /Bnb$|[Tt]imestamp/.test(name)
    })
    expect(wrong.map(({ where, name }) => `${where} ${name}`)).toEqual([])
  })

  test('are exempt only while something has them', () => {
    const used = new Set(members.map(({ name }) => name))
    expect(Object.keys({ ...given, ...givenTwice }).filter((name) => !used.has(name))).toEqual([])
  })

  test('mean one kind of figure everywhere', () => {
    const kinds = new Map<string, Set<Kind>>()
    for (const { name, schema, deprecated } of members)
      if (!deprecated && '$ref' in schema === false) kinds.set(name, (kinds.get(name) ?? new Set()).add(kindOf(schema)))
    const wrong = [...kinds].filter(([name, of]) => of.size > 1 && !(name in givenTwice)).map(([name]) => name)
    expect(wrong).toEqual([])
  })

  test('that are deprecated name their successor, which is beside them', () => {
    const old = members.filter(({ deprecated }) => deprecated)
    expect(old.length).toBeGreaterThan(50)
    const wrong = old.filter(({ schema, beside }) => {
      const [, successor] = schema.description?.match(/^The same as (\w+)\.$/) ?? []
      return !successor || beside?.includes(successor) === false
    })
    expect(wrong.map(({ where, name }) => `${where} ${name}`)).toEqual([])
  })

  test('that were renamed belong to a shape, which is answered or sent under that title', () => {
    const titles = new Set<string>()
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      if ('title' in value && typeof value.title === 'string' && !('anyOf' in value)) titles.add(value.title)
      for (const [key, member] of Object.entries(value)) if (key !== 'anyOf') collect(member)
    }
    collect([endpointList.map(({ endpoint }) => endpoint.output), eventTypes])
    expect(Object.keys(oldNames).filter((title) => !titles.has(title))).toEqual([])
  })
})

describe('old names', () => {
  let market: ShareMarket
  let ada: SeededAgent
  let receiver: TestReceiver
  beforeAll(async () => {
    receiver = await startReceiver()
    market = await startShareMarket({ WEBHOOKS_ALLOW_PRIVATE: 'yes' })
    ;({ ada } = await market.server.seed.agents('ada'))
    await market.fund(ada)
  })
  afterAll(async () => {
    await market.stop()
    await receiver.stop()
  })

  /** Fails unless the answer has every old name of its shape, with the value of the new one. */
  function expectBoth(title: string, answer: object | undefined): void {
    const members = answer as Record<string, unknown>
    for (const [old, name] of Object.entries(oldNames[title] ?? {})) {
      expect(members[name], `${title} ${name}`).toBeDefined()
      expect(members[old], `${title} ${old}`).toEqual(members[name])
    }
  }

  test('are sent with live events and webhooks', async () => {
    const { server } = market
    const live = await server.listen(server.client(), ['trades'])
    await ada.client.createWebhook({ url: receiver.url, topics: ['trades'] })
    await market.buy(ada, ada, 2)
    const [event] = await live.take(1)
    expect(event?.type).toBe('trade.pending')
    expectBoth('Trade', event?.data)
    await createWebhookDispatcher(server.deps).drain()
    await server.drain()
    const [delivery] = receiver.received.map(({ body }) => JSON.parse(body) as LiveEvent)
    expect(delivery?.type).toBe('trade.pending')
    expectBoth('Trade', delivery?.data)
    await live.stop()
  })

  test('are answered with the value of the new ones', async () => {
    const client = market.server.client()
    const { address } = ada.wallet
    const request = { sharesSubject: ada.subject, amount: 1, walletAddress: address }
    const quote = await client.getShareQuote({ side: 'buy', ...request })
    const answers: Record<string, object | undefined> = {
      AgentMarketRow: (await client.listAgentSummaries()).data[0],
      BalanceRank: (await client.listBalanceLeaderboard()).data[0],
      PositionRank: (await client.listPositionLeaderboard()).data[0],
      WalletHolding: (await client.listHoldings({ address })).data[0],
      Holder: (await client.listHolders({ id: 'ada' })).data[0],
      LocalWallet: await client.getLocalWallet({ address }),
      SharePrice: await client.getBuyPrice({ id: 'ada' }),
      ShareQuote: quote,
      Trade: (await client.listTrades()).data[0],
      WalletActivity: (await client.listTraderActivities({ address })).data[0],
      Trader: (await client.listTraders()).data[0],
      Candle: (await client.getChart({ id: 'ada' })).candles[0],
      BnbPrice: await client.getBnbPrice(),
    }
    expect(Object.keys(answers).sort()).toEqual(Object.keys(oldNames).sort())
    for (const [title, answer] of Object.entries(answers)) expectBoth(title, answer)
  })

  test('leave the transaction as it is signed, and its value in wei stands beside it', async () => {
    const request = { sharesSubject: ada.subject, amount: 1, walletAddress: ada.wallet.address }
    const buy = await ada.client.getShareQuote({ side: 'buy', ...request })
    expect(Object.keys(buy.transaction ?? {}).sort()).toEqual(['chainId', 'data', 'gasLimit', 'to', 'value'])
    expect(buy.transactionValueWei).toBe(String(BigInt(buy.transaction?.value ?? 0)))
    expect(buy.transactionValueWei).toBe(buy.limitPriceWei)
    const gift = await ada.client.getShareTransfer({ ...request, to: `0x${'1'.repeat(40)}` })
    expect([gift.transaction?.value, gift.transactionValueWei]).toEqual(['0x0', '0'])
    const { transactionValueWei } = await ada.client.getShareQuote({ side: 'buy', agentId: 'ada', amount: 1 })
    expect(transactionValueWei).toBeUndefined()
  })
})
