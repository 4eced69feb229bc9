import type { TradeStatus, UnsignedTransaction } from '@rookery/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSettling } from '../../../api/trading.js'
import { explainFailure, REVERTED, type TradeFailure } from '../../../wallet/failure.js'
import type { Hash, Wallet } from '../../../wallet/provider.js'

/** The steps of a trade, in their order. */
export const tradeSteps = ['sign', 'block', 'pending', 'confirmed', 'final'] as const
export type TradeStep = (typeof tradeSteps)[number]

/** How far a trade has come. */
export interface TradeProgress {
  readonly summary: string
  /** The step that is under way, that failed, or the last one. */
  readonly step: TradeStep
  /** Whether nothing can undo it any more. */
  readonly isDone: boolean
  readonly hash?: Hash
  readonly blockNumber?: number
  readonly failure?: TradeFailure
}

/** A trade from the wallet’s question to finality. */
export interface TradeRun {
  readonly progress: TradeProgress | undefined
  /** Whether one is under way that another could collide with. */
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

// What looks different as soon as a trade is in a block.
const CHANGED = [
  'agent',
  'agents',
  'chart',
  'trades',
  'holders',
  'quote',
  'wallet-shares',
  'wallet-balance',
  'stats',
  // Who holds a share sees more.
  'tweets-of',
  'replies-of',
]

/** Runs one trade at a time and follows it until nothing can undo it. */
export function useTrade(): TradeRun {
  const queries = useQueryClient()
  const [sent, setSent] = useState<Sent>()
  const isMined = sent?.stage === 'mined'
  const settling = useSettling(isMined ? sent.wallet.address : undefined, isMined ? sent.hash : undefined)
  const seen = settling.data?.status

  // Once when its block is seen, and again at each step towards finality, which is when figures move.
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

// The step that is under way once the service has seen this one.
function nextOf(status: TradeStatus | undefined): TradeStep {
  if (status === undefined) return 'pending'
  return status === 'pending' ? 'confirmed' : 'final'
}
