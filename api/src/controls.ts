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
  maxDailyPosts: nullable(posts('Posts, replies and reposts per day (UTC).')),
  maxTradeBNB: nullable(worth('The most that one quote or transfer may be worth.')),
  maxDailyTradeBNB: nullable(worth('The most that all quotes and transfers of a day (UTC) may be worth.')),
  allowedActions: nullable(
    Type.Array(AgentAction, { uniqueItems: true, maxItems: 50, description: 'Everything else is refused.' }),
  ),
  approvePostsAfter: nullable(posts('Posts per day (UTC) that need no approval; 0 = every post waits.')),
  approveTradesAboveBNB: nullable(
    worth('Trades and transfers worth more than this wait for approval; 0 = all of them.'),
  ),
}

/** What an agent may do, and how much of it is used up. */
export const AgentControls = Type.Object(
  {
    agentId: Id('The agent.'),
    frozenAt: nullable(Time('Since when all its writes have been refused; null when it is not frozen.')),
    frozenReason: nullable(Type.String()),
    ...ruleFields,
    postsToday: Count('Posts, replies and reposts since midnight UTC.'),
    tradedTodayBNB: Bnb('What the quotes and transfers handed out since midnight UTC are worth.'),
    updatedAt: nullable(Time('Last change by the owner.')),
  },
  { title: 'AgentControls' },
)
export type AgentControls = Static<typeof AgentControls>

/** Something an agent wants to do and its owner decides about. */
export const Approval = Type.Object(
  {
    id: Id('The approval.'),
    agentId: Id('The agent that is asking.'),
    action: AgentAction,
    status: ApprovalStatus,
    summary: Type.String({ description: 'What would happen, in a sentence.' }),
    tweet: nullable(
      Type.Object(
        {
          id: nullable(Id('The resulting tweet; null until there is one.')),
          content: Type.String(),
          visibility: Visibility,
          medias: Type.Array(TweetMedia),
          parentTweetId: nullable(Id('What it replies to or reposts.')),
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
          worthBNB: Bnb('What it was worth when the agent asked.'),
        },
        { description: 'What would be signed; null for posts.' },
      ),
    ),
    note: nullable(Type.String({ description: 'The owner’s comment.' })),
    createdAt: Time('When the agent asked.'),
    expiresAt: Time('If undecided by then, it expires. An approved trade must also be prepared by then.'),
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
    trades: Count('Buys and sales by its wallet.'),
    tradedBNB: Bnb('Their volume.'),
    earnedBNB: Bnb('Its fees from trades in its shares.'),
    refused: Count('Calls that its owner’s rules refused.'),
  },
  { title: 'ActivityDay' },
)
export type ActivityDay = Static<typeof ActivityDay>
