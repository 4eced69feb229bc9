import { type Static, type TSchema, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { profitFields } from './holdings.js'
import { Address, AddressName, Bnb, Count, oneOf, SignedBnb, Time } from './shapes.js'

const percent = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description })

/** What all shares of a wallet are worth, and what it earned with them. */
export const Portfolio = Type.Object(
  {
    address: Address('The wallet.'),
    positions: Count('Agents whose shares it holds.'),
    valueBNB: Bnb('What selling all its shares would pay now, before fees; each agent’s on its own curve.'),
    ...profitFields,
    profitBNB: SignedBnb('realisedProfitBNB plus openProfitBNB.'),
    profitPercent: percent('profitBNB as a part of everything it ever paid for shares; null if it paid nothing.'),
    change24hBNB: SignedBnb('How much profitBNB grew in the last 24 hours, so that buying alone is no gain.'),
    change24hPercent: percent(
      'change24hBNB as a part of the value 24 hours ago and what was paid since; null if both are nothing.',
    ),
  },
  { title: 'Portfolio' },
)
export type Portfolio = Static<typeof Portfolio>

/** How far back a history reaches. */
export const PortfolioRange = oneOf(['24h', '7d', '30d', 'all'])
export type PortfolioRange = Static<typeof PortfolioRange>

/** A wallet’s shares at one time. */
export const PortfolioPoint = Type.Object(
  {
    at: Time('The moment.'),
    valueBNB: Bnb('What selling the shares held then would have paid then, before fees.'),
    investedBNB: Bnb('What the shares held then had cost, including fees.'),
  },
  { title: 'PortfolioPoint' },
)
export type PortfolioPoint = Static<typeof PortfolioPoint>

const params = Type.Object({ address: AddressName('The wallet.') })

const read = <Output extends TSchema>(output: Output) =>
  ({
    method: 'GET',
    tag: 'shares',
    auth: 'none',
    limit: 'read',
    params,
    success: 200,
    output,
    errors: ['NOT_FOUND'],
  }) as const

/** Endpoints about everything that a wallet holds, now and over time. */
export const portfolios = {
  getPortfolio: endpoint({
    ...read(Portfolio),
    path: '/v1/traders/:address/portfolio',
    summary: 'Read what all shares of a wallet are worth and what it earned',
    description: 'Takes any wallet, whether or not it has an agent.',
  }),

  getPortfolioHistory: endpoint({
    ...read(
      Type.Object(
        { address: Address('The wallet.'), range: PortfolioRange, points: Type.Array(PortfolioPoint) },
        { title: 'PortfolioHistory' },
      ),
    ),
    path: '/v1/traders/:address/portfolio/history',
    summary: 'Read the value of a wallet’s shares over time',
    description:
      'Oldest first, at most 97 points. They begin with its first share, and the last one is now. Empty for a wallet that never had a share.',
    query: Type.Object({ range: Type.Optional({ ...PortfolioRange, default: 'all' }) }),
  }),
} as const
