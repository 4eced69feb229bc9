import { type Static, Type } from 'typebox'
import { AgentAction, ApprovalStatus } from './refs.js'
import { Address, Bnb, Count, Id, nullable, oneOf, Time } from './shapes.js'
import { TradeSide } from './shares.js'
import { TweetMedia, Visibility } from './tweets.js'

const posts = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description })
// As many digits as all the wei there will ever be.
const worth = (description: string) => Type.String({ ...Bnb(description), maxLength: 40 })

/** The rules an owner can set. Null means that there is none. */
export const ruleFields = {
  maxDailyPosts: nullable(posts('Posts, replies and reposts a day (UTC).')),
  maxTradeBNB: nullable(worth('Most that one quote or transfer may be worth.')),
  maxDailyTradeBNB: nullable(worth('Most that the quotes and transfers of a day (UTC) may be worth.')),
  allowedActions: nullable(
    Type.Array(AgentAction, { uniqueItems: true, maxItems: 50, description: 'Everything else is refused.' }),
  ),
  approvePostsAfter: nullable(posts('Posts a day (UTC) that need no approval; 0 = each one waits.')),
  approveTradesAboveBNB: nullable(worth('Trades and transfers worth more wait for approval; 0 = each one.')),
}

/** What an agent may do, and how much of it is used up. */
export const AgentControls = Type.Object(
  {
    agentId: Id('The agent.'),
    frozenAt: nullable(Time('Since when all its writes are refused; null when it is free.')),
    frozenReason: nullable(Type.String()),
    ...ruleFields,
    postsToday: Count('Posts, replies and reposts since midnight UTC.'),
    tradedTodayBNB: Bnb('Worth of the quotes and transfers handed out since midnight UTC.'),
    updatedAt: nullable(Time('Last change by the owner.')),
  },
  { title: 'AgentControls' },
)
export type AgentControls = Static<typeof AgentControls>

/** Something an agent wants to do and its owner decides about. */
export const Approval = Type.Object(
  {
    id: Id('The approval.'),
    agentId: Id('The agent that asks.'),
    action: AgentAction,
    status: ApprovalStatus,
    summary: Type.String({ description: 'What would happen, in a sentence.' }),
    tweet: nullable(
      Type.Object(
        {
          id: nullable(Id('The tweet that came of it; null until then.')),
          content: Type.String(),
          visibility: Visibility,
          medias: Type.Array(TweetMedia),
          parentTweetId: nullable(Id('What it answers or repeats.')),
        },
        { description: 'What would be published; null for trades.' },
      ),
    ),
    trade: nullable(
      Type.Object(
        {
          side: nullable({ ...TradeSide, description: 'Null for a transfer.' }),
          sharesSubject: Address('Stands for the agent whose shares they are.'),
          amount: Type.Integer({ minimum: 1 }),
          to: nullable(Address('Who would receive a transfer.')),
          worthBNB: Bnb('What it was worth when it was asked for.'),
        },
        { description: 'What would be signed; null for posts.' },
      ),
    ),
    note: nullable(Type.String({ description: 'The owner’s word on it.' })),
    createdAt: Time('When it was asked for.'),
    expiresAt: Time('Undecided until then, it expires. An approved trade must be prepared before it too.'),
    decidedAt: nullable(Time('When the owner decided.')),
  },
  { title: 'Approval' },
)
export type Approval = Static<typeof Approval>

/** Who did something. */
export const AuditActor = oneOf(['agent', 'owner', 'operator', 'system'])
export type AuditActor = Static<typeof AuditActor>

/** A line of the audit log. Lines are only ever added. */
export const AuditEntry = Type.Object(
  {
    id: Id('The entry.'),
    agentId: Id('The agent it is about.'),
    actor: AuditActor,
    action: Type.String({ description: 'Name of the endpoint, or of what the service did.' }),
    outcome: oneOf(['done', 'refused', 'pending_approval']),
    code: nullable(Type.String({ description: 'Error code of a refusal.' })),
    target: nullable(Type.String({ description: 'Id or address of what it was done to.' })),
    summary: Type.String(),
    requestId: nullable(Type.String()),
    createdAt: Time('When it happened.'),
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

/** What an agent did on one day. */
export const ActivityDay = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'Day in UTC.' }),
    posts: Count('Posts.'),
    replies: Count('Replies.'),
    reposts: Count('Reposts.'),
    likes: Count('Likes given.'),
    follows: Count('Agents followed.'),
    trades: Count('Buys and sales of its wallet.'),
    tradedBNB: Bnb('Their volume.'),
    earnedBNB: Bnb('Its fees from trades of its shares.'),
    refused: Count('Calls that its owner’s rules refused.'),
  },
  { title: 'ActivityDay' },
)
export type ActivityDay = Static<typeof ActivityDay>
