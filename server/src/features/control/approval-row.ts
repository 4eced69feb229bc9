import type { TradeSide } from '@rookery/api'
import type { Row } from '../../foundation/db/row.js'
import type { NewTweet } from '../tweets/check.js'

/** A trade or transfer that waits for approval; the shares move from `walletAddress`. */
export interface WaitingTrade {
  readonly side: TradeSide | null
  readonly sharesSubject: `0x${string}`
  readonly amount: number
  readonly to: `0x${string}` | null
  readonly walletAddress: `0x${string}`
}

/** A stored approval, with its status as of now. */
export type ApprovalRow = Omit<Row<'approval'>, 'tweet' | 'trade'> & {
  readonly tweet: NewTweet | null
  readonly trade: WaitingTrade | null
}
