import type { Client } from '@rookery/sdk'
import sharp from 'sharp'
import { createAlertMaker } from '../../src/features/people/start.js'
import { startPushService } from '../push-service.js'
import type { SeededAgent } from '../seed.js'
import type { ShareMarket } from '../share-market.js'

/** What every word and name of the person has, and nothing else in the world. */
export const MARK = 'quokkaberry'

/** A person who is everywhere: an agent, its owner and its wallet, among others who have to do with it. */
export interface Person {
  readonly agent: SeededAgent
  readonly owner: Client
  readonly wallet: Client
  readonly bob: SeededAgent
  readonly cleo: SeededAgent
  /** The file that only the person has uploaded. */
  readonly fileName: string
  /** What bob wrote under what the agent wrote. */
  readonly replyId: string
  readonly tweetId: string
  readonly skillSlug: string
  /** Texts that identify it, but for its address on the chain and the id of the agent. */
  readonly identities: readonly string[]
}

/** Leaves words and names of one person in everything that anybody can write, and in what others do about it. */
export async function makePerson(market: ShareMarket, moderator: Client): Promise<Person> {
  const { server } = market
  const { [MARK]: agent, bob, cleo } = await server.seed.agents(MARK, 'bob', 'cleo')
  const { client } = agent
  const login = await server.seed.login(MARK)
  const { client: owner } = login
  const { client: wallet } = await server.seed.signIn(agent.wallet)
  const say = (what: string) => `The ${MARK} ${what}`
  const { name: fileName, url } = await upload(client)
  await client.updateProfile({ displayName: say('name'), bio: say('bio') })
  await client.updateAvatar({ avatarUrl: url })
  for (const one of [bob, cleo]) {
    await one.client.followAgent({ id: agent.id })
    await client.followAgent({ id: one.id })
  }
  await client.muteAgent({ id: cleo.id })
  const { tweetId, replyId } = await talk(client, bob, cleo, { say, url })
  const skillSlug = await publish(client, bob, say)
  await trade(market, agent, bob)
  await listen(client, bob, agent)
  await rule(client, owner, say)
  await asPerson(market, wallet, owner, bob, say)
  await server.drain()
  await beJudged(client, bob, moderator, { agentId: agent.id, tweetId, say })
  await server.drain()
  // Waits for nobody: it stays in the queue and with the receivers.
  await client.createTweet({ content: say('last word') })
  await server.deps.orderer.settle()
  const { ownerId } = await ownerOf(market)
  const identities = [`x_${MARK}`, ownerId, fileName]
  return { agent, owner, wallet, bob, cleo, fileName, replyId, tweetId, skillSlug, identities }
}

type Say = (what: string) => string

async function upload(client: Client): Promise<{ name: string; url: string }> {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } }).png()
  const { url } = await client.uploadFile({ file: new Blob([Uint8Array.from(await image.toBuffer())]) })
  return { url, name: url.split('/').at(-1)?.split('?')[0] ?? '' }
}

async function talk(
  client: Client,
  bob: SeededAgent,
  cleo: SeededAgent,
  { say, url }: { say: Say; url: string },
): Promise<{ tweetId: string; replyId: string }> {
  const { id: tweetId } = await client.createTweet({ content: say('morning'), medias: [{ type: 'image', url }] })
  const { id: replyId } = await bob.client.createTweet({ content: 'Good morning', parentTweetId: tweetId })
  const { id: other } = await bob.client.createTweet({ content: 'A tweet of bob' })
  await bob.client.createTweet({ content: `Listen to @${MARK}` })
  await client.createTweet({ content: say('answer'), parentTweetId: other })
  const { id: privateId } = await client.createTweet({ content: say('secret'), visibility: 'private' })
  await bob.client.createTweet({ content: 'I see nothing', parentTweetId: privateId }).catch(() => {})
  await bob.client.repostTweet({ id: tweetId })
  await cleo.client.createTweet({ content: 'So it is', parentTweetId: replyId })
  await client.repostTweet({ id: other })
  for (const one of [bob, cleo]) await one.client.likeTweet({ id: tweetId })
  await client.likeTweet({ id: other })
  await cleo.client.likeTweet({ id: other })
  await client.trackView({ id: other })
  const { id: deleted } = await client.createTweet({ content: say('mistake') })
  await client.deleteTweet({ id: deleted })
  return { tweetId, replyId }
}

async function publish(client: Client, bob: SeededAgent, say: Say): Promise<string> {
  const tags = ['birds', `${MARK}-tag`]
  const item = {
    description: say('craft'),
    content: `# ${say('skill')}\n`,
    type: 'skill',
    tags,
    isActive: true,
  } as const
  const { id, slug } = await client.createSkill({ name: say('skill'), ...item })
  await client.addSkillVersion({ id, versionNumber: '1.1.0', content: `# ${say('better skill')}\n` })
  await bob.client.likeSkill({ id })
  await bob.client.downloadSkill({ id })
  const own = await bob.client.createSkill({
    ...item,
    name: 'Of bob',
    description: 'x',
    content: '# Bob\n',
    tags: ['birds'],
  })
  await client.likeSkill({ id: own.id })
  await client.downloadSkill({ id: own.id })
  const { id: videoId } = await client.createVideo({ prompt: say('film') })
  await client.cancelVideo({ id: videoId })
  return slug
}

async function trade({ fund, buy, sell }: ShareMarket, agent: SeededAgent, bob: SeededAgent): Promise<void> {
  await fund(agent, bob)
  await buy(agent, agent, 3)
  await buy(bob, agent, 2)
  await buy(bob, bob, 1)
  await buy(agent, bob, 1)
  await sell(bob, agent, 1)
}

async function listen(client: Client, bob: SeededAgent, { username }: SeededAgent): Promise<void> {
  const nowhere = 'http://127.0.0.1:9'
  const { webhook } = await client.createWebhook({
    url: `${nowhere}/${username}`,
    description: `The hook of ${username}`,
    topics: ['notifications'],
  })
  await client.pingWebhook({ id: webhook.id })
  await bob.client.createWebhook({ url: `${nowhere}/bob`, topics: [`agent:${username}`, 'notifications'] })
  await client.createTweet({ content: `What ${username} has to say` })
}

async function rule(client: Client, owner: Client, say: Say): Promise<void> {
  await owner.freezeAgent({ id: MARK, reason: say('pause') })
  await owner.unfreezeAgent({ id: MARK })
  await owner.updateControls({ id: MARK, approvePostsAfter: 0 })
  const { id } = await client.createTweet({ content: say('question') })
  await owner.decideApproval({ id: MARK, approvalId: id, decision: 'reject', note: say('no') })
  await client.createTweet({ content: say('second question') })
  await owner.updateControls({ id: MARK, approvePostsAfter: null, maxDailyTradeBNB: '10' })
}

async function asPerson(market: ShareMarket, wallet: Client, owner: Client, bob: SeededAgent, say: Say): Promise<void> {
  const service = await startPushService()
  for (const one of [wallet, owner]) {
    const { endpoint, keys } = service.subscribe()
    await one.createPushSubscription({ endpoint, keys })
  }
  await wallet.followAsWallet({ id: bob.id })
  await wallet.watchAgent({ id: bob.id })
  await bob.client.createTweet({ content: 'For those who hold', visibility: 'private' })
  const maker = createAlertMaker(market.server.deps)
  await maker.drain()
  await maker.stop()
  for (const one of [wallet, owner])
    await one.createReport({ targetType: 'agent', targetId: bob.id, reason: 'other', text: say('report') })
  const stranger = await market.server.seed.signIn()
  await stranger.client.followAsWallet({ id: MARK })
  await stranger.client.watchAgent({ id: MARK })
  await service.stop()
}

async function beJudged(
  client: Client,
  bob: SeededAgent,
  moderator: Client,
  { agentId, tweetId, say }: { agentId: string; tweetId: string; say: Say },
): Promise<void> {
  await client.createReport({ targetType: 'agent', targetId: bob.id, reason: 'spam', text: say('view of bob') })
  await bob.client.createReport({ targetType: 'tweet', targetId: tweetId, reason: 'spam', text: say('is rude') })
  const target = { targetType: 'agent', targetId: agentId } as const
  const { id } = await moderator.createDecision({
    ...target,
    decision: 'label',
    label: 'spam',
    reason: say('spams'),
    note: say('note'),
  })
  await client.createAppeal({ decisionId: id, text: say('does not') })
  await client.likeTweet({ id: agentId }).catch(() => {})
}

async function ownerOf({ server }: ShareMarket): Promise<{ ownerId: string }> {
  const { rows } = await server.deps.database.pool.query<{ id: string }>(`select id from owner where x_handle = $1`, [
    `x_${MARK}`,
  ])
  return { ownerId: rows[0]?.id ?? '' }
}
