import { type TSchema, Type } from 'typebox'

/**
 * Members that were renamed, by the title of their shape: old name → new name. Answers and events carry both. The old
 * ones broke the rule for names: `…BNB` is decimal BNB, `…Wei` is wei, `…At` is ISO 8601, `…Unix` is unix seconds, and
 * one thing has one name.
 */
export const oldNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AgentMarketRow: { volumeBnb: 'tradingVolBNB', currentPrice: 'sharePriceBNB', tgeAt: 'launchedAt' },
  BalanceRank: { balance: 'balanceBNB', volumeBnb: 'tradingVolBNB', currentPrice: 'sharePriceBNB' },
  PositionRank: { balance: 'balanceBNB', volumeBnb: 'tradingVolBNB', currentPrice: 'sharePriceBNB' },
  WalletHolding: { balance: 'amount', currentPrice: 'sharePriceBNB' },
  Holder: { balance: 'amount', holdingSince: 'heldSinceAt' },
  LocalWallet: { balance: 'balanceWei', gasPrice: 'gasPriceWei' },
  SharePrice: {
    price: 'priceWei',
    protocolFee: 'protocolFeeWei',
    subjectFee: 'subjectFeeWei',
    priceAfterFee: 'priceAfterFeeWei',
  },
  ShareQuote: {
    price: 'priceWei',
    protocolFee: 'protocolFeeWei',
    subjectFee: 'subjectFeeWei',
    priceAfterFee: 'priceAfterFeeWei',
    limitPrice: 'limitPriceWei',
  },
  Trade: { blockTimestamp: 'blockTimeUnix', bnbAmount: 'priceBNB', priceCurrent: 'sharePriceBNB' },
  WalletActivity: { blockTimestamp: 'blockTimeUnix', bnbAmount: 'priceBNB', priceCurrent: 'sharePriceBNB' },
  Trader: { volumeBnb: 'volumeBNB' },
  Candle: { open: 'openBNB', high: 'highBNB', low: 'lowBNB', close: 'closeBNB' },
  BnbPrice: { lastUpdatedAt: 'lastUpdatedUnix' },
}

type Json = Record<string, unknown>
type Shape = TSchema & { title?: string; properties?: Record<string, TSchema>; items?: TSchema; required?: string[] }
type Write = (value: unknown) => unknown

const renamesOf = ({ title }: Shape) => Object.entries(oldNames[title ?? ''] ?? {})

/** Creates what adds the old names to values of the schema; undefined if they have none, so that they cost nothing. */
export function createOldNames(schema: TSchema): Write | undefined {
  const { properties, items } = schema as Shape
  if (items) {
    const write = createOldNames(items)
    return write && ((value) => (Array.isArray(value) ? value.map(write) : value))
  }
  const renames = renamesOf(schema)
  const inner = Object.entries(properties ?? {}).flatMap(([name, member]): [string, Write][] => {
    const write = createOldNames(member)
    return write ? [[name, write]] : []
  })
  if (renames.length === 0 && inner.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const copy: Json = { ...value }
    for (const [name, write] of inner) if (copy[name] !== undefined) copy[name] = write(copy[name])
    for (const [old, name] of renames) if (copy[name] !== undefined) copy[old] = copy[name]
    return copy
  }
}

/** The schema with the old names, marked deprecated. */
export function withOldNames<T extends TSchema>(schema: T): T {
  return (createOldNames(schema) ? describeOldNames(schema) : schema) as T
}

function describeOldNames(schema: Shape): TSchema {
  const { properties, items, required = [] } = schema
  if (items) return Type.Unsafe<unknown>({ ...schema, items: withOldNames(items) })
  const members = Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, member]) => [name, withOldNames(member)]),
  )
  const old = renamesOf(schema).map(([old, name]) => ({ old, name, member: members[name] }))
  const missing = old.find(({ member }) => !member)
  if (missing) throw new Error(`${schema.title} has no ${missing.name}, which is to have the old name ${missing.old}`)
  return Type.Unsafe<unknown>({
    ...schema,
    properties: {
      ...members,
      ...Object.fromEntries(old.map(({ old, name, member }) => [old, deprecated(member as TSchema, name)])),
    },
    required: [...required, ...old.filter(({ name }) => required.includes(name)).map(({ old }) => old)],
  })
}

/** The schema of a member under another name that clients still use. */
export function deprecated(member: TSchema, name: string): TSchema {
  return Type.Unsafe<unknown>({ ...member, deprecated: true, description: `The same as ${name}.` })
}
