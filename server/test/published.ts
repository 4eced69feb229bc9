import type { PendingApproval, Tweet } from '@rookery/api'
import { isPending } from '@rookery/sdk'

/** The tweet that a call published. Fails the test when it waits for the owner instead. */
export async function published(call: Promise<Tweet | PendingApproval>): Promise<Tweet> {
  const answer = await call
  if (isPending(answer)) throw new Error(`Expected a tweet, but: ${answer.message}`)
  return answer
}
