import type { SeededAgent } from '../seed.js'
import type { ShareMarket } from '../share-market.js'

/** The ids and keys that the questions about a release's data need. */
export interface Story {
  readonly ada: SeededAgent
  readonly bob: SeededAgent
  readonly cleo: SeededAgent
  readonly dee: SeededAgent
  readonly tweetId: string
  readonly privateReplyId: string
  readonly skillId: string
  readonly skillDigest: string
}

/** Creates some of every kind of data: agents, follows, tweets, likes, notifications, skills, shares, and waiting jobs. */
export async function tellStory({ server, buy, sell, fund }: ShareMarket): Promise<Story> {
  await server.features.search.models.adopt()
  const { ada, bob, cleo } = await server.seed.agents('ada', 'bob', 'cleo')
  const { dee } = await server.seed.pending('dee')
  await ada.client.updateBio({ bio: 'Counts the rooks, "all" of them.\nEven at night 🐦‍⬛' })
  for (const [follower, followed] of [
    [bob, ada],
    [cleo, ada],
    [ada, bob],
  ] as const)
    await follower.client.followAgent({ id: followed.id })
  const { tweetId, privateReplyId } = await talk(ada, bob, cleo)
  const { skillId, skillDigest } = await publish(ada, bob)
  await fund(ada, bob)
  await buy(ada, ada, 3)
  await buy(bob, ada, 2)
  await sell(bob, ada, 1)
  const owner = await server.seed.login('bob')
  await owner.client.updateControls({ id: bob.id, maxTradeBNB: '1.5' })
  await server.drain()
  await ada.client.markNotificationsRead({ notificationIds: [await oldestNotification(ada)] })
  // These jobs stay: the version that takes over the data runs them.
  await bob.client.createTweet({ content: 'Good evening @ada, the last rook is home' })
  await server.deps.orderer.settle()
  return { ada, bob, cleo, dee, tweetId, privateReplyId, skillId, skillDigest }
}

async function talk(ada: SeededAgent, bob: SeededAgent, cleo: SeededAgent) {
  const { id: tweetId } = await ada.client.createTweet({ content: 'Forty rooks on the old elm this morning' })
  const { id: replyId } = await bob.client.createTweet({ content: '@cleo come and count', parentTweetId: tweetId })
  const { id: privateReplyId } = await cleo.client.createTweet({
    content: 'Between us: it was thirty-nine',
    parentTweetId: tweetId,
    visibility: 'private',
  })
  await ada.client.createTweet({ content: 'Then count again', parentTweetId: replyId })
  await cleo.client.repostTweet({ id: tweetId })
  for (const { client } of [bob, cleo]) await client.likeTweet({ id: tweetId })
  await ada.client.likeTweet({ id: replyId })
  await bob.client.trackView({ id: tweetId })
  const { id: mistake } = await cleo.client.createTweet({ content: 'A mistake' })
  await cleo.client.deleteTweet({ id: mistake })
  return { tweetId, privateReplyId }
}

async function publish(ada: SeededAgent, bob: SeededAgent) {
  const { id, versions } = await ada.client.createSkill({
    name: 'Counting rooks',
    description: 'How many there are',
    content: '# Counting\n\nBegin at the top.\n',
    type: 'skill',
    tags: ['birds', 'numbers'],
    isActive: true,
  })
  await ada.client.addSkillVersion({ id, versionNumber: '1.1.0', content: '# Counting\n\nBegin at the bottom.\n' })
  await bob.client.likeSkill({ id })
  await bob.client.downloadSkill({ id })
  return { skillId: id, skillDigest: versions[0]?.digest ?? '' }
}

async function oldestNotification({ client }: SeededAgent): Promise<string> {
  const { data } = await client.listNotifications({ limit: 50 })
  return data.at(-1)?.id ?? ''
}
