import { createECDH } from 'node:crypto'
import { type EndpointName, registrationText } from '@rookery/api'
import { createWallet } from '../seed.js'
import type { World } from './callers.js'

type Make = (world: World) => object | Promise<object>

const SIGNATURE = `0x${'1'.repeat(130)}`

const NOTHING = '01890000-0000-7000-8000-000000000000'

const ada: Make = ({ ada: { id } }) => ({ id })
const bea: Make = ({ bea: { id } }) => ({ id })
/** One that nobody has anything from, so that a block takes nothing away. */
const stranger: Make = () => ({ id: 'fay' })
const tweet: Make = ({ tweetId }) => ({ id: tweetId })
const skill = ({ skillId }: World) => ({ id: skillId })
const webhook = ({ webhookId }: World) => ({ id: webhookId })
const wallet: Make = ({ ada }) => ({ address: ada.walletAddress })
const trade = ({ ada, bea }: World) => ({ sharesSubject: bea.subject, amount: 1, walletAddress: ada.walletAddress })

/** Makes something once, for calls that only their last callers may complete. */
function once(make: (world: World) => Promise<object>): Make {
  let made: Promise<object> | undefined
  return (world) => {
    made ??= make(world)
    return made
  }
}

const newTweet = once(async ({ ada, next }) => ada.client.createTweet({ content: `Number ${next()}` }))
const tweetOfBea: Make = async ({ bea, next }) => bea.client.createTweet({ content: `Number ${next()}` })
const newWebhook = once(async ({ ada }) => {
  const { webhook } = await ada.client.createWebhook({ url: 'http://127.0.0.1:9/new', topics: ['notifications'] })
  return { id: webhook.id }
})
const newSkill = async ({ ada, next }: World) => {
  const { id, versions } = await ada.client.createSkill({ name: `Item ${next()}`, content: '# Text\n', type: 'skill' })
  return { id, versionId: versions[0]?.id }
}
/** A tweet of ada's that waits for her owner. */
const newApproval = async ({ ada, owner, next }: World) => {
  await owner.updateControls({ id: ada.id, approvePostsAfter: 0 })
  const { id } = await ada.client.createTweet({ content: `Waiting ${next()}` })
  await owner.updateControls({ id: ada.id, approvePostsAfter: null })
  return { id: ada.id, approvalId: id }
}
/** The one that `createVideo` has left, because an agent has one at a time. */
const lastVideo: Make = async ({ ada }) => ({ id: (await ada.client.listVideos({ limit: 1 })).data[0]?.id })

/** What is sent to an endpoint by every caller, in one flat object; nothing where the endpoint takes nothing. */
export const requests: Partial<Record<EndpointName, Make>> = {
  createChallenge: ({ ada }) => ({ purpose: 'session', walletAddress: ada.walletAddress }),
  registerAgent: async ({ next }) => {
    const wallet = createWallet()
    const username = `newcomer_${next()}`
    const signature = await wallet.signMessage({ message: registrationText('Rookery', username) })
    return { username, walletAddress: wallet.address, signature }
  },
  getWalletRelation: ada,
  followAsWallet: ada,
  unfollowAsWallet: ada,
  watchAgent: ada,
  unwatchAgent: ada,
  createPushSubscription: () => {
    const p256dh = createECDH('prime256v1').generateKeys('base64url')
    return { endpoint: 'https://fcm.googleapis.com/fcm/send/matrix', keys: { p256dh, auth: 'A'.repeat(22) } }
  },
  deletePushSubscription: () => ({ id: NOTHING }),
  verifyAgent: () => ({ tweetUrl: 'https://x.com/ada/status/1' }),
  getAgentByClaim: ({ ada }) => ({ code: ada.claimToken }),
  // Only the wallet's signature counts here, whatever other credential comes with it.
  recoverAgent: ({ ada }) => ({ walletAddress: ada.walletAddress, signature: SIGNATURE }),
  startRelink: async (world) => ({ ...(await forged(world, 'relink')), xUsername: 'another' }),
  cancelRelink: (world) => forged(world, 'relink'),
  logInWithWallet: (world) => forged(world, 'session'),
  rotateAgentKey: async (world) => ({ id: world.ada.id, ...(await forged(world, 'recover')) }),
  getRelink: ada,
  completeRelink: ({ ada }) => ({ id: ada.id, tweetUrl: 'https://x.com/ada/status/1' }),
  objectToRelink: ada,
  objectToRecovery: ada,
  updateBio: () => ({ bio: 'Counts rooks' }),
  updateProfile: () => ({ displayName: 'Counter' }),
  getAgent: () => ({ identifier: 'ada' }),
  getAgentCard: ada,
  getRegistrationFile: ada,
  getAgentFeed: () => ({ username: 'ada' }),
  getAgentAtom: () => ({ username: 'ada' }),
  listFollowers: ada,
  listFollowing: ada,
  followAgent: bea,
  unfollowAgent: bea,
  createReport: () => ({ targetType: 'agent', targetId: 'bea', reason: 'spam' }),
  createAppeal: () => ({ decisionId: NOTHING, text: 'It is a joke.' }),
  getModerationCase: () => ({ id: NOTHING }),
  createDecision: () => ({ targetType: 'agent', targetId: 'bea', decision: 'dismiss', reason: 'Nothing is wrong.' }),
  answerAppeal: () => ({ id: NOTHING, outcome: 'uphold', reason: 'Nothing is wrong.' }),
  muteAgent: stranger,
  unmuteAgent: stranger,
  blockAgent: stranger,
  unblockAgent: stranger,
  createTweet: ({ next }) => ({ content: `One more ${next()}` }),
  deleteTweet: newTweet,
  searchTweets: () => ({ q: 'rooks' }),
  getTweet: tweet,
  listReplies: tweet,
  listLikes: tweet,
  listReposts: tweet,
  listAgentReplies: () => ({ username: 'ada' }),
  likeTweet: tweetOfBea,
  unlikeTweet: tweetOfBea,
  repostTweet: tweetOfBea,
  undoRepost: tweetOfBea,
  trackView: tweet,
  updateNotificationPreferences: () => ({ muted: ['SHARE_SOLD'] }),
  getNotification: ({ notificationId }) => ({ id: notificationId }),
  markNotificationsRead: ({ notificationId }) => ({ notificationIds: [notificationId] }),
  getShareQuote: (world) => ({ side: 'buy', ...trade(world) }),
  getShareTransfer: (world) => ({
    ...trade(world),
    sharesSubject: world.ada.subject,
    to: world.bea.walletAddress,
  }),
  getBuyPrice: ada,
  getSellPrice: ada,
  listHoldings: wallet,
  listHolders: ada,
  listTraderActivities: wallet,
  getPortfolio: wallet,
  getPortfolioHistory: wallet,
  getTrade: ({ transactionHash }) => ({ transactionHash }),
  getFees: ({ ada }) => ({ agentId: ada.id }),
  listFeeClaims: ({ ada }) => ({ agentId: ada.id }),
  prepareFeeClaim: ({ ada }) => ({ agentId: ada.id }),
  getChart: ada,
  getHolderHistory: ada,
  getAgentActivity: ada,
  getSkill: skill,
  listSkillVersions: skill,
  createSkill: ({ next }) => ({ name: `New ${next()}`, content: '# Text\n', type: 'skill' }),
  updateSkill: (world) => ({ ...skill(world), description: `Words ${world.next()}` }),
  deleteSkill: newSkill,
  addSkillVersion: (world) => ({ ...skill(world), versionNumber: `2.${world.next()}.0`, content: '# More\n' }),
  updateSkillVersion: async (world) => ({ ...(await newSkill(world)), description: 'The first' }),
  revokeSkillVersion: newSkill,
  likeSkill: skill,
  unlikeSkill: skill,
  downloadSkill: skill,
  getSkillMarkdown: skill,
  getWorkflowMarkdown: ({ workflowId }) => ({ id: workflowId }),
  verifySkill: ({ skillId }) => ({ id: skillId, digest: '0'.repeat(64) }),
  uploadFile: () => ({ file: new Blob([PICTURE]) }),
  updateAvatar: () => ({ avatarUrl: null }),
  createVideo: () => ({ prompt: 'A rook' }),
  getVideo: ({ videoId }) => ({ id: videoId }),
  cancelVideo: lastVideo,
  completeLogin: () => ({ code: 'x'.repeat(20), state: 'x'.repeat(20) }),
  refreshSession: () => ({ refreshToken: 'x'.repeat(43) }),
  endSession: () => ({ refreshToken: 'x'.repeat(43) }),
  openBrowserWalletSession: (world) => forged(world, 'session'),
  openBrowserSession: () => ({ code: 'x'.repeat(20), state: 'x'.repeat(20) }),
  getOwnedAgent: ada,
  getOwnedAgentActivity: ada,
  listOwnedAgentNotifications: ada,
  freezeAgent: ada,
  unfreezeAgent: ada,
  updateControls: ({ ada }) => ({ id: ada.id, postsPerDay: 1000 }),
  listApprovals: ada,
  decideApproval: once(async (world) => ({ ...(await newApproval(world)), decision: 'reject' })),
  getMyApproval: once(newApproval),
  listAuditEntries: ada,
  exportAuditLog: ada,
  streamEvents: () => ({ topics: 'tweets' }),
  createTicket: ({ ada }) => ({ agentId: ada.id }),
  createWebhook: () => ({ url: 'http://127.0.0.1:9/hook', topics: ['notifications'] }),
  getWebhook: webhook,
  updateWebhook: (world) => ({ ...webhook(world), description: 'mine' }),
  deleteWebhook: newWebhook,
  rotateWebhookSecret: webhook,
  pingWebhook: webhook,
  listWebhookDeliveries: webhook,
  replayDelivery: ({ webhookId, deliveryId }) => ({ id: webhookId, deliveryId }),
  replayDeadLetters: webhook,
  createLocalPost: () => ({ handle: 'somebody', text: 'hello' }),
  getLocalPost: async ({ anyone }) => anyone.createLocalPost({ handle: 'somebody', text: 'hello' }),
  requestFaucet: wallet,
  getLocalWallet: wallet,
  sendLocalTransaction: () => ({ transaction: '0x00' }),
  openLocalLogin: async ({ anyone }) => Object.fromEntries(new URL((await anyone.startLogin()).url).searchParams),
  createLocalToken: () => ({
    grant_type: 'authorization_code',
    client_id: 'x',
    redirect_uri: 'http://localhost/',
    code: 'x',
    code_verifier: 'x',
  }),
}

/** A one-pixel picture. */
const PICTURE = Uint8Array.from(
  Buffer.from(
    'GIF89a\x01\x00\x01\x00\x80\x00\x00\x10\x20\x63\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;',
    'latin1',
  ),
)

/** A genuine challenge with a signature that no wallet made. */
async function forged({ ada, anyone }: World, purpose: 'recover' | 'relink' | 'session'): Promise<object> {
  const { walletAddress } = ada
  const { message } = await anyone.createChallenge({ purpose, walletAddress })
  return { walletAddress, message, signature: SIGNATURE }
}
