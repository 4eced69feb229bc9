import type { SharePrice } from '@rookery/api'
import type { Hex } from 'viem'
import { getWalletAddress } from '../../base/address.js'
import { Problem } from '../../base/problem.js'
import type { Handlers } from '../../call.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { callerName } from '../../foundation/callers/caller.js'
import { findChainState } from '../../foundation/chain/cursor.js'
import { readAsked } from '../../foundation/db/asked.js'
import type { Db } from '../../foundation/db/db.js'
import type { PageRequest } from '../../foundation/db/paginate.js'
import { getAgent } from '../agents/queries.js'
import { listCandles, listHolderPoints } from './chart.js'
import { findProfits } from './costs.js'
import { filterFeeAgents, listClaims, listFeeAgents, prepareClaim, readFees } from './fees.js'
import { findHoldingSince, getOwnWallet, getWallet, listHolders, listHoldings } from './holdings.js'
import { listByBalance, listByPosition } from './leaderboards.js'
import type { Shares } from './open.js'
import { findBySubject, findByWallet } from './parties.js'
import { listPortfolioStates, readPortfolio } from './portfolio.js'
import { portfolioPointView, portfolioView } from './portfolio-view.js'
import { type QuoteReads, readSubject } from './quote-reads.js'
import { blockNumberOf, prepareTransfer, quoteTrade } from './quotes.js'
import { findRecentSupplies } from './recent-prices.js'
import { quoteAt } from './supply.js'
import { listActivities, listAskedTrades, listTraders, listTrades } from './trades.js'
import {
  activityView,
  balanceRankView,
  claimView,
  holderView,
  positionRankView,
  shareHoldingView,
  sharePriceView,
  type TradeFacts,
  traderView,
  tradeView,
  walletHoldingView,
} from './view.js'

export const shareRoutes = (shares: Shares) =>
  ({
    async listMyHoldings({ caller, input, deps: { db } }) {
      const wallet = await getOwnWallet(db, caller.kind === 'agent' ? caller.agent : caller.session)
      const { rows, meta, profits } = await readHoldings(db, wallet, input)
      return { data: rows.map((row) => shareHoldingView(row, profits.get(row.subject))), meta }
    },

    getShareQuote: ({ agent, input, deps }) => quoteTrade(deps, shares.quoteReads, agent, input),
    getShareTransfer: ({ agent, input, deps }) => prepareTransfer(deps, shares.quoteReads, agent, input),
    getBuyPrice: ({ agent, input, deps }) =>
      readPrice(deps, shares.quoteReads, { side: 'buy', viewer: agent, ...input }),
    getSellPrice: ({ agent, input, deps }) =>
      readPrice(deps, shares.quoteReads, { side: 'sell', viewer: agent, ...input }),

    async listTrades({ input: { ids, ...input }, deps: { db } }) {
      const { rows, meta } = await (ids === undefined ? listTrades(db, input) : listAskedTrades(db, readAsked(ids)))
      const facts = await findFacts(
        db,
        rows.map((row) => row.trader),
        rows.map((row) => row.subject),
      )
      return { data: rows.map((row) => tradeView(row, facts)), meta }
    },

    getTrade: ({ agent, input: { transactionHash, wait = 0 }, address, deps }) => {
      const caller = callerName(agent ? { kind: 'agent', agent } : { kind: 'anyone' }, address)
      return shares.readTransaction(deps, caller, requireHash(transactionHash), wait)
    },

    async getFees({ caller, input: { agentId, days = 30 }, deps }) {
      return readFees(deps, await listFeeAgents(deps.db, caller, agentId), days)
    },

    async listFeeClaims({ caller, input: { agentId, ...request }, deps: { db } }) {
      const agents = await filterFeeAgents(db, caller, agentId)
      const { rows, meta } = await listClaims(db, agents, request)
      const facts = await findFacts(
        db,
        [],
        rows.map((row) => row.subject),
      )
      return { data: rows.map((row) => claimView(row, facts)), meta }
    },

    async prepareFeeClaim({ caller, input: { agentId, walletAddress }, deps }) {
      return prepareClaim(deps, await listFeeAgents(deps.db, caller, agentId), walletAddress)
    },

    async listTraders({ input, deps: { db } }) {
      const { rows, meta } = await listTraders(db, input)
      const parties = await findByWallet(
        db,
        rows.map((row) => row.address),
      )
      return { data: rows.map((row) => traderView(row, parties)), meta }
    },

    async listTraderActivities({ input: { address, ...request }, deps: { db } }) {
      const { rows, meta } = await listActivities(db, getWalletAddress(address), request)
      const facts = await findFacts(
        db,
        rows.flatMap((row) => row.counterparty ?? []),
        rows.map((row) => row.subject),
      )
      return { data: rows.map((row) => activityView(row, facts)), meta }
    },

    async getPortfolio({ input: { address }, deps: { db, clock } }) {
      const wallet = getWalletAddress(address)
      return portfolioView(wallet, await readPortfolio(db, wallet, clock.now()))
    },

    async getPortfolioHistory({ input: { address, range = 'all' }, deps: { db, clock } }) {
      const wallet = getWalletAddress(address)
      const states = await listPortfolioStates(db, wallet, { range, now: clock.now() })
      return { address: wallet, range, points: states.map(portfolioPointView) }
    },

    async listHoldings({ viewer, input: { address, ...request }, deps: { db, clock } }) {
      const wallet = await getWallet(db, address, viewer)
      const { rows, meta, profits } = await readHoldings(db, wallet, request)
      const subjects = rows.map((row) => row.subject)
      const supplies = await findRecentSupplies(db, subjects, clock.now())
      const data = rows.map((row) =>
        walletHoldingView(wallet, row, { profit: profits.get(row.subject), supplies: supplies.get(row.subject) }),
      )
      return { data, meta }
    },

    async listHolders({ agent: caller, input: { id, ...request }, deps: { db } }) {
      const agent = await getAgent(db, id, caller)
      const { rows, meta } = await listHolders(db, agent, request)
      const holders = rows.map((row) => row.holder)
      const parties = await findByWallet(db, holders)
      const since = await findHoldingSince(db, agent.subject, holders)
      return { data: rows.map((row) => holderView(row, { agent, since: since.get(row.holder), parties })), meta }
    },

    async getHolderHistory({ agent: caller, input: { id, interval = '1h', ...span }, deps: { db } }) {
      const agent = await getAgent(db, id, caller)
      return { agentId: agent.id, interval, points: await listHolderPoints(db, agent.subject, { interval, ...span }) }
    },

    async getChart({ agent: caller, input: { id, interval = '1h', ...span }, deps: { db } }) {
      const agent = await getAgent(db, id, caller)
      return { agentId: agent.id, interval, candles: await listCandles(db, agent.subject, { interval, ...span }) }
    },

    async listBalanceLeaderboard({ input, deps: { db } }) {
      const { rows, meta } = await listByBalance(db, input)
      return { data: rows.map(balanceRankView), meta }
    },

    async listPositionLeaderboard({ input, deps: { db } }) {
      const { rows, meta } = await listByPosition(db, input)
      return { data: rows.map(positionRankView), meta }
    },
  }) satisfies Partial<Handlers>

const HASH = /^0x[0-9a-f]{64}$/

function requireHash(text: string): Hex {
  const hash = text.toLowerCase()
  if (!HASH.test(hash)) throw new Problem('TRANSACTION_NOT_FOUND')
  return hash as Hex
}

async function readHoldings(db: Db, wallet: `0x${string}`, request: PageRequest) {
  const { rows, meta } = await listHoldings(db, wallet, request)
  const subjects = rows.map((row) => row.subject)
  return { rows, meta, profits: await findProfits(db, wallet, subjects) }
}

async function readPrice(
  deps: Deps,
  reads: QuoteReads,
  request: { side: 'buy' | 'sell'; viewer: AgentIdentity | undefined; id: string; amount?: number },
): Promise<SharePrice> {
  const { side, viewer, id, amount = 1 } = request
  const { agent, shares } = await readSubject(deps, reads, id, { viewer })
  const { supply } = shares
  const quote = quoteAt(side, supply, amount)
  return sharePriceView(agent.subject, { quote, amount, supply, blockNumber: blockNumberOf(shares) })
}

async function findFacts(db: Db, wallets: readonly string[], subjects: readonly string[]): Promise<TradeFacts> {
  return {
    chain: await findChainState(db),
    wallets: await findByWallet(db, wallets),
    subjects: await findBySubject(db, subjects),
  }
}
