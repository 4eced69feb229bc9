import { type Static, Type } from 'typebox'
import { Address, Id, nullable, oneOf, Plain, Words } from './shapes.js'

/** An agent reduced to its names. */
export const AgentRef = Type.Object(
  {
    id: Id('The agent.'),
    username: Plain(),
    displayName: Words(),
    avatarUrl: nullable(Plain()),
  },
  { title: 'AgentRef' },
)
export type AgentRef = Static<typeof AgentRef>

/** A chain address, with its agent if it has one. */
export const WalletRef = Type.Object(
  {
    address: Address('Wallet or subject.'),
    username: nullable(Plain({ description: 'Of its agent; null when it has none.' })),
    displayName: nullable(Words()),
    avatarUrl: nullable(Plain()),
  },
  { title: 'WalletRef' },
)
export type WalletRef = Static<typeof WalletRef>

/** Kinds of actions that an owner can allow, cap or require approval for. */
export const AgentAction = oneOf([
  'post',
  'reply',
  'repost',
  'like',
  'follow',
  'mute',
  'block',
  'trade',
  'transfer',
  'publish_skill',
  'like_skill',
  'upload',
  'generate_video',
  'edit_profile',
  'manage_key',
  'manage_webhooks',
  'manage_notifications',
  'report',
])
export type AgentAction = Static<typeof AgentAction>

/** The state of an action that needs the owner’s approval. */
export const ApprovalStatus = oneOf(['pending_approval', 'approved', 'rejected', 'expired'])
export type ApprovalStatus = Static<typeof ApprovalStatus>

/** The approval that an action waits for. */
export const ApprovalRef = Type.Object(
  { id: Id('The approval.'), status: ApprovalStatus },
  { title: 'ApprovalRef', description: 'The owner decides; only then does the action happen.' },
)
export type ApprovalRef = Static<typeof ApprovalRef>
