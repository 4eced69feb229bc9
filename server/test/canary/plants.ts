import { type EndpointName, registrationText } from '@rookery/api'
import type { Client } from '@rookery/sdk'
import type { World } from '../matrix/callers.js'
import { requests } from '../matrix/requests.js'
import { createWallet } from '../seed.js'

/** What the canary is planted in, and who decides about it. */
export interface Garden {
  readonly world: World
  readonly moderator: Client
  /** Items of which a version was revoked. */
  readonly revoked: { readonly id: string; readonly digest: string }[]
}

type Make = (garden: Garden, text: string, path: string) => Promise<object> | object

async function newTweet({ world: { ada, next } }: Garden): Promise<string> {
  return (await ada.client.createTweet({ content: `Rooks, count ${next()}` })).id
}

/** A tweet of ada's that a moderator has hidden. */
async function newDecision(garden: Garden): Promise<string> {
  const target = { targetType: 'tweet', targetId: await newTweet(garden) } as const
  const { id } = await garden.moderator.createDecision({ ...target, decision: 'hide', reason: 'seen' })
  return id
}

/** Requests with which words get as far as they can. All others are those of the matrix. */
const made: Partial<Record<EndpointName, Make>> = {
  registerAgent: async ({ world: { next } }, text, path) => {
    const wallet = createWallet()
    const name = path === 'name' ? text : `newcomer_${next()}`
    const signature = await wallet.signMessage({ message: registrationText('Rookery', name) })
    return { name, walletAddress: wallet.address, signature }
  },
  createTweet: ({ world: { next } }) => ({ content: `@bea have a look at ${next()}` }),
  createSkill: ({ world: { next } }) => ({
    name: `New ${next()}`,
    content: '# Text\n',
    type: 'skill',
    isActive: true,
  }),
  updateSkillVersion: async ({ world: { ada, next } }) => {
    const { id, versions } = await ada.client.createSkill({
      name: `Item ${next()}`,
      content: '# Text\n',
      type: 'skill',
    })
    return { id, versionId: versions[0]?.id }
  },
  revokeSkillVersion: async ({ world: { ada, next }, revoked }) => {
    const { id, versions } = await ada.client.createSkill({
      name: `Item ${next()}`,
      content: '# Text\n',
      type: 'skill',
    })
    revoked.push({ id, digest: versions[0]?.digest ?? '' })
    return { id, versionId: versions[0]?.id }
  },
  decideApproval: async ({ world: { ada, owner, next } }) => {
    await owner.updateControls({ id: ada.id, approvePostsAfter: 0 })
    const { id } = await ada.client.createTweet({ content: `Waiting ${next()}` })
    await owner.updateControls({ id: ada.id, approvePostsAfter: null })
    return { id: ada.id, approvalId: id, decision: 'reject' }
  },
  createReport: async ({ world: { bea, next } }) => {
    const { id } = await bea.client.createTweet({ content: `Rooks, report ${next()}` })
    return { targetType: 'tweet', targetId: id, reason: 'spam' }
  },
  createDecision: async (garden) => ({
    targetType: 'tweet',
    targetId: await newTweet(garden),
    decision: 'hide',
    reason: 'seen',
  }),
  createAppeal: async (garden) => ({ decisionId: await newDecision(garden), text: 'It is a joke.' }),
  answerAppeal: async (garden) => {
    const decisionId = await newDecision(garden)
    const { id } = await garden.world.ada.client.createAppeal({ decisionId, text: 'It is a joke.' })
    return { id, outcome: 'uphold', reason: 'Nothing is wrong.' }
  },
}

/** The input of a call before the canary is put into it. */
export async function inputOf(garden: Garden, name: EndpointName, text: string, path: string): Promise<object> {
  const make = made[name]
  return make ? make(garden, text, path) : { ...(await requests[name]?.(garden.world)) }
}

/** The documents of all versions of an item into which words were planted. */
export async function versionsOf({ world: { ada, skillId } }: Garden): Promise<{ id: string; v: string }[]> {
  const { data } = await ada.client.listSkillVersions({ id: skillId, limit: 100 })
  return data.map(({ versionNumber }) => ({ id: skillId, v: versionNumber }))
}

export type Fate = 'seen' | 'unseen' | 'refused'

/**
 * Where the words go that a write takes: others see them, nobody ever sees them, or the call refuses them. A new member
 * that takes any sentence needs a row.
 */
export const fates: Readonly<Record<Fate, readonly string[]>> = {
  seen: [
    'addSkillVersion content',
    'addSkillVersion description',
    'answerAppeal reason',
    'createAppeal text',
    'createDecision note',
    'createDecision reason',
    'createLocalPost name',
    'createLocalPost text',
    'createReport text',
    'createSkill content',
    'createSkill description',
    'createSkill name',
    'createTweet content',
    'createTweet medias.0.url',
    'createVideo prompt',
    'createWebhook description',
    'createWebhook url',
    'decideApproval note',
    'freezeAgent reason',
    'registerAgent bio',
    'registerAgent displayName',
    'registerAgent name',
    'revokeSkillVersion reason',
    'updateBio bio',
    'updateProfile bio',
    'updateProfile displayName',
    'updateSkill description',
    'updateSkill name',
    'updateSkillVersion description',
    'updateWebhook description',
    'updateWebhook url',
  ],
  unseen: ['answerAppeal note', 'createChallenge username', 'endSession refreshToken', 'verifyAgent tweetUrl'],
  refused: [
    'cancelRelink message',
    'completeRelink tweetUrl',
    'createDecision targetId',
    'createLocalToken client_id',
    'createLocalToken code',
    'createLocalToken code_verifier',
    'createLocalToken redirect_uri',
    'createReport targetId',
    'createSkill tags.0',
    'createTweet mentions.0',
    'createVideo images.0',
    'logInWithWallet message',
    'openBrowserSession code',
    'openBrowserSession error',
    'openBrowserSession state',
    'openBrowserWalletSession message',
    'recoverAgent message',
    'refreshSession refreshToken',
    'registerAgent message',
    'registerAgent username',
    'rotateAgentKey message',
    'startBrowserLogin returnUrl',
    'startRelink message',
    'updateAvatar avatarUrl',
    'updateSkill content',
    'updateSkill tags.0',
    'updateSkillVersion content',
    'verifyAgent code',
    'verifyAgent verifyToken',
  ],
}
