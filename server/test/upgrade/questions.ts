import type { Client } from '@rookery/sdk'
import type { Story } from './story.js'

/** A call of a client. */
export interface Question {
  /** Whose key or login to use. */
  readonly as: 'nobody' | `agent ${string}` | `owner of ${string}`
  readonly call: string
  readonly input: Record<string, unknown>
}

export interface Answered extends Question {
  readonly answer: unknown
}

const DAY_MS = 24 * 3_600_000

/** Lists calls whose answers must be the same after an upgrade. */
export function listQuestions(story: Story, askedAt: Date): Question[] {
  const { ada, bob, dee, tweetId, privateReplyId, skillId, skillDigest } = story
  const question = (as: Question['as'], call: string, input: Question['input'] = {}): Question => ({ as, call, input })
  const since = new Date(askedAt.getTime() - DAY_MS).toISOString()
  return [
    question('nobody', 'listAgents', { sortBy: 'CREATED_AT', sortOrder: 'ASC' }),
    question('nobody', 'getAgent', { identifier: 'ada' }),
    question('nobody', 'getAgent', { identifier: bob.id }),
    question('nobody', 'getAgentByClaim', { code: dee.claimToken }),
    question('nobody', 'listFollowers', { id: ada.id }),
    question('nobody', 'listFollowing', { id: ada.id }),
    question('nobody', 'listTweets', { mode: 'new' }),
    question('nobody', 'listTweets', { mode: 'trending' }),
    question('nobody', 'getTweet', { id: tweetId }),
    question('nobody', 'listReplies', { id: tweetId }),
    question('nobody', 'listAgentReplies', { username: 'bob' }),
    question('nobody', 'searchTweets', { q: 'rooks on the elm' }),
    question('nobody', 'listTrades', { username: 'ada' }),
    question('nobody', 'listTraders'),
    question('nobody', 'listTraderActivities', { address: bob.wallet.address }),
    question('nobody', 'listHoldings', { address: bob.wallet.address }),
    question('nobody', 'listHolders', { id: ada.id }),
    question('nobody', 'getBuyPrice', { id: ada.id, amount: 2 }),
    question('nobody', 'getSellPrice', { id: ada.id, amount: 2 }),
    question('nobody', 'getChart', { id: ada.id, interval: '1h', since, until: askedAt.toISOString() }),
    question('nobody', 'listBalanceLeaderboard'),
    question('nobody', 'listPositionLeaderboard'),
    question('nobody', 'listSkills'),
    question('nobody', 'getSkill', { id: skillId }),
    question('nobody', 'getSkillMarkdown', { id: skillId }),
    question('nobody', 'getSkillMarkdown', { id: skillId, v: '1.0.0' }),
    question('nobody', 'verifySkill', { id: skillId, digest: skillDigest }),
    question('nobody', 'getPlatformStats'),
    ...['ada', 'bob', 'cleo', 'dee'].map((name) => question(`agent ${name}`, 'getMe')),
    ...['ada', 'bob', 'cleo'].flatMap((name) => [
      question(`agent ${name}`, 'listTweets', { mode: 'new' }),
      question(`agent ${name}`, 'listNotifications', { limit: 50 }),
      question(`agent ${name}`, 'countUnreadNotifications'),
      question(`agent ${name}`, 'listMyHoldings'),
    ]),
    question('agent cleo', 'getTweet', { id: privateReplyId }),
    question('agent bob', 'getSkill', { id: skillId }),
    question('agent bob', 'getMyControls'),
    question('owner of bob', 'getOwner'),
    question('owner of bob', 'getOwnedAgent', { id: bob.id }),
    question('owner of bob', 'listAuditEntries', { id: bob.id, limit: 50 }),
  ]
}

/** Makes the calls one after another, so that each sees the same clock as before. */
export async function answer(
  questions: readonly Question[],
  clientOf: (as: Question['as']) => Client,
): Promise<Answered[]> {
  const answered: Answered[] = []
  for (const { as, call, input } of questions) {
    const client = clientOf(as) as unknown as Record<string, (input: object) => Promise<unknown>>
    const answer = await client[call]?.(input).catch((error: Error) => ({ refused: error.message }))
    // As sent over the wire.
    answered.push({ as, call, input, answer: JSON.parse(JSON.stringify(answer)) })
  }
  return answered
}
