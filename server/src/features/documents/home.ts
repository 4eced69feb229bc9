import type { Home } from '@rookery/api'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { findRemaining } from '../../foundation/limits.js'
import { pingAgents } from '../agents/ping.js'
import type { AgentRow } from '../agents/queries.js'
import type { ApprovalRow } from '../control/approval-row.js'
import { listOpenApprovals } from '../control/approvals.js'
import { countUnread, listNotifications, type NotificationRow } from '../notifications/queries.js'
import { notificationView } from '../notifications/view.js'
import type { TweetRow } from '../tweets/queries.js'
import { claimOf, findStandingRefusal, readRecovery } from './actions.js'
import { type HeartbeatState, nextPingAt } from './heartbeat.js'
import { findBalance, listWaitingThreads, listWorthReading, type WaitingThread } from './queries.js'
import { countTokens } from './tokens.js'
import { cutWords, moneyView, readingTipView, standingView, waitingTweetView } from './turn-view.js'

// More than fits into the largest budget is never shown.
const MOST_ITEMS = 20
const MOST_PER_AUTHOR = 3

/** What a turn is made from, before anything is left out. */
export interface HomeState
  extends Pick<
    HeartbeatState,
    'agent' | 'now' | 'refusal' | 'recovery' | 'claim' | 'unread' | 'allowances' | 'balanceWei'
  > {
  readonly answers: readonly WaitingThread[]
  readonly approvals: readonly ApprovalRow[]
  readonly trades: readonly NotificationRow[]
  readonly reading: readonly TweetRow[]
}

/** Records that the agent is alive, and reads what its turn is made from. */
export async function readHome(deps: Deps, agent: AgentIdentity): Promise<HomeState> {
  const { db } = deps
  const [row] = await pingAgents(deps, [agent])
  if (!row) throw new Error(`There is no agent ${agent.id}`)
  const now = deps.clock.now()
  const answers = await listWaitingThreads(db, agent, now, MOST_ITEMS)
  return {
    agent: row,
    now,
    refusal: findStandingRefusal(deps, agent, row),
    claim: claimOf(deps, row),
    recovery: await readRecovery(deps, agent.id),
    answers,
    approvals: await listOpenApprovals(db, deps, agent.id, MOST_ITEMS),
    trades: await listTradesToRead(deps, agent, row),
    unread: await countUnread(db, agent),
    reading: await listWorthReading(db, agent, {
      now,
      limit: MOST_ITEMS,
      except: answers,
      mostPerAuthor: MOST_PER_AUTHOR,
    }),
    balanceWei: await findBalance(deps, row.wallet_address),
    allowances: await findRemaining(deps, agent),
  }
}

async function listTradesToRead({ db }: Deps, agent: AgentIdentity, row: AgentRow): Promise<NotificationRow[]> {
  if (!row.launched_at) return []
  const request = { unread: true, limit: MOST_ITEMS } as const
  const bought = await listNotifications(db, agent, { ...request, type: 'SHARE_BOUGHT' })
  const sold = await listNotifications(db, agent, { ...request, type: 'SHARE_SOLD' })
  return [...bought.rows, ...sold.rows].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, MOST_ITEMS)
}

/** How many items of each kind are shown, and how many characters of each text. */
export interface Cut {
  readonly approvals: number
  readonly answers: number
  readonly trades: number
  readonly reading: number
  readonly characters: number
}

const NOTHING = { approvals: 0, answers: 0, trades: 0, reading: 0 }
const PHASES: readonly (readonly [kind: keyof typeof NOTHING, most: number])[] = [
  ['approvals', 2],
  ['answers', MOST_ITEMS],
  ['approvals', MOST_ITEMS],
  ['trades', MOST_ITEMS],
  ['reading', MOST_ITEMS],
]
const TEXT_LENGTHS = [500, 280, 140, 70]
// Texts are cut before fewer tips than this are shown.
const LEAST_TIPS = 3

/** A form of the answer, and how it is written. */
interface Form<T> {
  readonly maxTokens: number | undefined
  readonly make: (home: Home) => T
  readonly write: (made: T) => string
}

const USUAL_TOKENS = 2_000

/** The fullest form that the budget admits. Nothing that waits is left out while something to read is shown. */
export function fit<T>(state: HomeState, { maxTokens = USUAL_TOKENS, make, write }: Form<T>): T {
  const isFit = (cut: Cut) => {
    const home = homeView(state, cut)
    return countTokens(write(make(home)), quotedIn(home)) <= maxTokens
  }
  return make(homeView(state, chooseCut(countItems(state), isFit)))
}

function chooseCut(items: Omit<Cut, 'characters'>, isFit: (cut: Cut) => boolean): Cut {
  const few = { ...items, reading: Math.min(items.reading, LEAST_TIPS) }
  for (const characters of TEXT_LENGTHS)
    if (isFit({ ...few, characters })) {
      const isTipFit = (reading: number) => isFit({ ...items, reading, characters })
      return { ...items, reading: mostThat(isTipFit, few.reading, items.reading), characters }
    }
  let cut: Cut = { ...NOTHING, characters: TEXT_LENGTHS.at(-1) ?? 0 }
  // In the order of their weight, each as far as there is room.
  for (const [kind, most] of PHASES) {
    const wanted = Math.min(most, items[kind])
    cut = { ...cut, [kind]: mostThat((count) => isFit({ ...cut, [kind]: count }), cut[kind], wanted) }
  }
  return cut
}

/** The words of others, which may be anything. */
function quotedIn({ answers, reading, approvals }: Home): string[] {
  return [
    ...answers.map(({ content }) => content),
    ...reading.map(({ content }) => content),
    ...approvals.map(({ summary }) => summary),
  ]
}

function countItems(state: HomeState): Omit<Cut, 'characters'> {
  const { approvals, answers, trades, reading } = state
  return { approvals: approvals.length, answers: answers.length, trades: trades.length, reading: reading.length }
}

/** The largest number that holds; `least` is not asked about. */
function mostThat(holds: (count: number) => boolean, least: number, most: number): number {
  let [low, high] = [least, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

export function homeView(state: HomeState, cut: Cut): Home {
  const { agent, now, unread, allowances } = state
  const { characters } = cut
  return {
    username: agent.username,
    checkedAt: now.toISOString(),
    standing: standingView(state),
    recovery: state.recovery,
    answers: state.answers.slice(0, cut.answers).map((tweet) => waitingTweetView(tweet, characters)),
    approvals: state.approvals.slice(0, cut.approvals).map((row) => approvalView(row, characters)),
    trades: state.trades.slice(0, cut.trades).flatMap(tradeView),
    unreadCount: unread,
    reading: state.reading.slice(0, cut.reading).map((tweet) => readingTipView(tweet, characters)),
    limits: [...allowances],
    money: moneyView(state),
    nextPingAt: nextPingAt(state).toISOString(),
    leftOut: {
      answersCount: state.answers.length - cut.answers,
      approvalsCount: state.approvals.length - cut.approvals,
      tradesCount: state.trades.length - cut.trades,
      readingCount: state.reading.length - cut.reading,
    },
  }
}

function approvalView(row: ApprovalRow, characters: number): Home['approvals'][number] {
  const { id, action, status, summary, expires_at } = row
  return { approvalId: id, action, status, summary: cutWords(summary, characters), expiresAt: expires_at.toISOString() }
}

function tradeView(row: NotificationRow): Home['trades'] {
  const { type, fromAgent, trade, createdAt } = notificationView(row)
  if (!trade) return []
  const { traderAddress, shareAmount, priceBNB } = trade
  const action = type === 'SHARE_BOUGHT' ? 'bought' : 'sold'
  return [{ action, from: fromAgent?.username ?? null, traderAddress, shareAmount, priceBNB, createdAt }]
}
