import type { TradeStatus, UnsignedTransaction } from '@rookery/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSettling } from '../../../api/trading.js'
import { explainFailure, REVERTED, type TradeFailure } from '../../../wallet/failure.js'
import type { Hash, Wallet } from '../../../wallet/provider.js'

/** The steps of a trade, in order. */
export const tradeSteps = ['sign', 'block', 'pending', 'confirmed', 'final'] as const
export type TradeStep = (typeof tradeSteps)[number]

/** The progress of a trade. */
export interface TradeProgress {
  readonly summary: string
  /** The current step, the failed one, or the last one. */
  readonly step: TradeStep
  /** Whether the trade is final. */
  readonly isDone: boolean
  readonly hash?: Hash
  readonly blockNumber?: number
  readonly failure?: TradeFailure
}

/** A trade from the wallet’s confirmation to finality. */
export interface TradeRun {
  readonly progress: TradeProgress | undefined
  /** Whether a running trade blocks another one. */
  readonly isBusy: boolean
  start(wallet: Wallet, prepared: { summary: string; transaction?: UnsignedTransaction }): Promise<void>
  clear(): void
}

interface Sent {
  readonly summary: string
  readonly stage: 'sign' | 'block' | 'mined'
  readonly wallet: Wallet
  readonly hash?: Hash
  readonly failure?: TradeFailure
}

// What changes as soon as a trade is in a block.
const CHANGED = [
  'agent',
  'agents',
  'chart',
  'trades',
  'holders',
  'quote',
  'wallet-shares',
  'wallet-balance',
  'portfolio',
  'holdings',
  'activities',
  'stats',
  'fees',
  'fee-claims',
  // A holder of shares sees private posts.
  'tweets-of',
  'replies-of',
]

/** Runs one trade at a time and follows it until it is final. */
export function useTrade(): TradeRun {
  const queries = useQueryClient()
  const [sent, setSent] = useState<Sent>()
  const isMined = sent?.stage === 'mined'
  const settling = useSettling(isMined ? sent.hash : undefined)
  const seen = settling.data?.status

  // Refreshes once the block is seen and again at each step towards finality, because the figures change then.
  const [shown, setShown] = useState<string>()
  if (seen !== undefined && sent?.hash !== undefined && shown !== sent.hash + seen) {
    setShown(sent.hash + seen)
    queueMicrotask(() => {
      for (const name of CHANGED) void queries.invalidateQueries({ queryKey: [name] })
    })
  }

  async function start(
    wallet: Wallet,
    { summary, transaction }: { summary: string; transaction?: UnsignedTransaction },
  ): Promise<void> {
    if (!transaction) return
    let at: Sent = { summary, stage: 'sign', wallet }
    const go = (change: Partial<Sent>) => {
      at = { ...at, ...change }
      setSent(at)
    }
    go({})
    try {
      const hash = await wallet.connection.send(transaction)
      go({ stage: 'block', hash })
      if ((await wallet.connection.outcome(hash)) === 'reverted') go({ failure: REVERTED })
      else go({ stage: 'mined' })
    } catch (error) {
      go({ failure: explainFailure(error) })
    }
    void queries.invalidateQueries({ queryKey: ['wallet-balance'] })
  }

  return {
    progress: sent && progressOf(sent, settling.data ?? undefined),
    isBusy: sent !== undefined && sent.failure === undefined && !isMined,
    start,
    clear: () => setSent(undefined),
  }
}

function progressOf(
  { summary, stage, hash, failure }: Sent,
  settled: { status: TradeStatus; blockNumber: number } | undefined,
): TradeProgress {
  return {
    summary,
    step: stage === 'mined' ? nextOf(settled?.status) : stage,
    isDone: settled?.status === 'final',
    ...(hash && { hash }),
    ...(settled && { blockNumber: settled.blockNumber }),
    ...(failure && { failure }),
  }
}

// The step that follows once the service has seen this one.
function nextOf(status: TradeStatus | undefined): TradeStep {
  if (status === undefined) return 'pending'
  return status === 'pending' ? 'confirmed' : 'final'
}
