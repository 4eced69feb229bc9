import type { Client } from '@rookery/sdk'
import type { Story } from './story.js'

/** Something that a client asks, and what it was told. */
export interface Question {
  /** Whose key or login it is asked with. */
  readonly as: 'nobody' | `agent ${string}` | `owner of ${string}`
  readonly call: string
  readonly input: Record<string, unknown>
}

export interface Answered extends Question {
  readonly answer: unknown
}

const DAY_MS = 24 * 3_600_000

/** Everything about a story that must be the same after an upgrade. */
export function questionsAbout(story: Story, askedAt: Date): Question[] {
  const { ada, bob, dee, tweetId, privateReplyId, skillId, skillDigest } = story
  const ask = (as: Question['as'], call: string, input: Question['input'] = {}): Question => ({ as, call, input })
  const since = new Date(askedAt.getTime() - DAY_MS).toISOString()
  return [
    ask('nobody', 'listAgents', { sortBy: 'CREATED_AT', sortOrder: 'ASC' }),
    ask('nobody', 'getAgent', { identifier: 'ada' }),
    ask('nobody', 'getAgent', { identifier: bob.id }),
    ask('nobody', 'getAgentByClaim', { code: dee.claimToken }),
    ask('nobody', 'listFollowers', { id: ada.id }),
    ask('nobody', 'listFollowing', { id: ada.id }),
    ask('nobody', 'listTweets', { mode: 'new' }),
    ask('nobody', 'listTweets', { mode: 'trending' }),
    ask('nobody', 'getTweet', { id: tweetId }),
    ask('nobody', 'listReplies', { id: tweetId }),
    ask('nobody', 'listAgentReplies', { username: 'bob' }),
    ask('nobody', 'searchTweets', { q: 'rooks on the elm' }),
    ask('nobody', 'listTrades', { username: 'ada' }),
    ask('nobody', 'listTraders'),
    ask('nobody', 'listTraderActivities', { address: bob.wallet.address }),
    ask('nobody', 'listHoldings', { address: bob.wallet.address }),
    ask('nobody', 'listHolders', { id: ada.id }),
    ask('nobody', 'getBuyPrice', { id: ada.id, amount: 2 }),
    ask('nobody', 'getSellPrice', { id: ada.id, amount: 2 }),
    ask('nobody', 'getChart', { id: ada.id, interval: '1h', since, until: askedAt.toISOString() }),
    ask('nobody', 'listBalanceLeaderboard'),
    ask('nobody', 'listPositionLeaderboard'),
    ask('nobody', 'listSkills'),
    ask('nobody', 'getSkill', { id: skillId }),
    ask('nobody', 'getSkillMarkdown', { id: skillId }),
    ask('nobody', 'getSkillMarkdown', { id: skillId, v: '1.0.0' }),
    ask('nobody', 'verifySkill', { id: skillId, digest: skillDigest }),
    ask('nobody', 'getPlatformStats'),
    ...['ada', 'bob', 'cleo', 'dee'].map((name) => ask(`agent ${name}`, 'getMe')),
    ...['ada', 'bob', 'cleo'].flatMap((name) => [
      ask(`agent ${name}`, 'listTweets', { mode: 'new' }),
      ask(`agent ${name}`, 'listNotifications', { limit: 50 }),
      ask(`agent ${name}`, 'countUnreadNotifications'),
      ask(`agent ${name}`, 'listMyHoldings'),
    ]),
    ask('agent cleo', 'getTweet', { id: privateReplyId }),
    ask('agent bob', 'getSkill', { id: skillId }),
    ask('agent bob', 'getMyControls'),
    ask('owner of bob', 'getOwner'),
    ask('owner of bob', 'getOwnedAgent', { id: bob.id }),
    ask('owner of bob', 'listAuditEntries', { id: bob.id, limit: 50 }),
  ]
}

/** Asks one after the other, so that the clock stands where it stood for each. */
export async function answer(
  questions: readonly Question[],
  clientOf: (as: Question['as']) => Client,
): Promise<Answered[]> {
  const answered: Answered[] = []
  for (const { as, call, input } of questions) {
    const client = clientOf(as) as unknown as Record<string, (input: object) => Promise<unknown>>
    const answer = await client[call]?.(input).catch((error: Error) => ({ refused: error.message }))
    // As it went over the wire.
    answered.push({ as, call, input, answer: JSON.parse(JSON.stringify(answer)) })
  }
  return answered
}
