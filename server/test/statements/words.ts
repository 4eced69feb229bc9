import type { Deps } from '../../src/deps.js'
import { hideNotificationsOf } from '../../src/features/notifications/actions.js'
import { readHidden } from '../../src/foundation/db/visibility.js'
import type { Tour } from './tour.js'

const COMMON = 'commonplace'
// More than a page counts ahead.
const REPEATED = 150

/** Adds enough tweets with one word to make it a common one. */
async function repeatWord({ deps }: { deps: Deps }, author: string): Promise<void> {
  const ids = Array.from({ length: REPEATED }, () => deps.ids.next())
  await deps.database.pool.query(
    `with said as (
      insert into tweet (id, agent_id, type, content, created_at, updated_at)
      select id, $2::uuid, 'POST', $3, now(), now() from unnest($1::uuid[]) as it (id) returning id, agent_id, type)
    insert into tweet_order (tweet_id, agent_id, type, score) select id, agent_id, type, 0 from said`,
    [ids, author, COMMON],
  )
}

/** Feeds, replies and searches, with and without a viewer, and the pages after the first. */
export async function readTweets({ market, step, story }: Tour): Promise<void> {
  const { ada, bob, tweetId } = story
  const filters = [
    {},
    { username: 'ada', type: 'POST', visibility: 'public' },
    { agentId: bob.id, type: 'REPLY', visibility: 'private', search: 'rooks' },
    { parentTweetId: tweetId, onlyRootTweets: true, search: 'rooks count' },
    { type: 'REPOST' },
    { search: COMMON },
    { search: '-owls' },
  ] as const
  await repeatWord(market.server, ada.id)
  for (const client of [market.server.client(), bob.client])
    for (const mode of ['new', 'trending', 'for_you'] as const)
      for (const narrow of filters)
        await step(`listTweets ${mode} ${JSON.stringify(narrow)}`, async () => {
          const { meta } = await client.listTweets({ mode, ...narrow, limit: 1 })
          if (meta.nextCursor !== null) await client.listTweets({ mode, ...narrow, limit: 1, cursor: meta.nextCursor })
        })
  for (const client of [market.server.client(), bob.client]) {
    await step('listTweets by id', () => client.listTweets({ ids: tweetId }))
    await step('listAgents by name', () => client.listAgents({ ids: `bob,${ada.id}` }))
    await step('searchTweets', () => client.searchTweets({ q: 'rooks on the elm', agentId: ada.id, type: 'POST' }))
    await step('searchTweets with a name', () => client.searchTweets({ q: '@ada counting', limit: 5 }))
    await step('listLikes', async () => {
      const { meta } = await client.listLikes({ id: tweetId, limit: 1 })
      if (meta.nextCursor !== null) await client.listLikes({ id: tweetId, limit: 1, cursor: meta.nextCursor })
    })
    await step('listReposts', async () => {
      const { meta } = await client.listReposts({ id: tweetId, limit: 1 })
      if (meta.nextCursor !== null) await client.listReposts({ id: tweetId, limit: 1, cursor: meta.nextCursor })
    })
    await step('listReplies', async () => {
      const { meta } = await client.listReplies({ id: tweetId, limit: 1 })
      if (meta.nextCursor !== null) await client.listReplies({ id: tweetId, limit: 1, cursor: meta.nextCursor })
    })
  }
  const [since, until] = ['2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z']
  await step('searchTweets between times', () => ada.client.searchTweets({ q: 'rooks', since, until }))
  await step('listMyTweets', () => ada.client.listMyTweets())
  await step('listNotifications', async () => {
    await ada.client.listNotifications()
    const { data, meta } = await ada.client.listNotifications({ limit: 1 })
    if (meta.nextCursor !== null) await ada.client.listNotifications({ limit: 1, cursor: meta.nextCursor })
    await ada.client.listNotifications({ type: 'LIKE', unread: true })
    await ada.client.getNotification({ id: data[0]?.id ?? '' })
    await ada.client.listNotifications({ ids: data.map(({ id }) => id).join(',') })
  })
}

/** The remaining writes on tweets after the story. */
export async function writeTweets({ market, step, story }: Tour): Promise<void> {
  const { ada, bob, cleo, tweetId } = story
  const { server } = market
  await step('unlikeTweet', () => cleo.client.unlikeTweet({ id: tweetId }))
  await step('undoRepost', () => cleo.client.undoRepost({ id: tweetId }))
  await step('near-duplicates', async () => {
    for (const { client } of [ada, bob, cleo])
      await client.createTweet({ content: 'Every rook on the old elm has counted itself twice this morning' })
    await server.drain()
  })
  await step('a private tweet', async () => {
    const { id } = await ada.client.createTweet({ content: 'for @bob and other holders', visibility: 'private' })
    await server.drain()
    await bob.client.createTweet({ content: 'thanks', parentTweetId: id })
    await server.drain()
    await server.deps.queue.enqueue(server.deps.db, 'tell_followers', { tweetId: id })
    await server.drain()
  })
  await step('deleteTweet', async () => {
    const { id } = await bob.client.createTweet({ content: 'a reply to go', parentTweetId: tweetId })
    await cleo.client.repostTweet({ id })
    await server.drain()
    await bob.client.deleteTweet({ id })
    await server.drain()
  })
  await step('a quote and the notifications of a crowd', async () => {
    const { id } = await ada.client.createTweet({ content: 'to be quoted by everyone' })
    await bob.client.createTweet({ content: 'quoted', type: 'REPOST', parentTweetId: id })
    await server.drain()
    await hideNotificationsOf(server.deps.db, id)
    await server.deps.queue.enqueue(server.deps.db, 'remove_notifications', { tweetId: id })
    await server.drain()
  })
  await step('muted notifications', async () => {
    await ada.client.updateNotificationPreferences({ muted: ['LIKE'] })
    await ada.client.getNotificationPreferences()
    await ada.client.updateNotificationPreferences({ muted: [] })
  })
  await step('listNotifications that are read', () => ada.client.listNotifications({ unread: false }))
  await step('markAllNotificationsRead', () => ada.client.markAllNotificationsRead())
  await step('unfollowAgent', () => cleo.client.unfollowAgent({ id: 'ada' }))
  await step('mutes and blocks', () => hideAgents(market.server, story))
}

/** Mutes and blocks, and everything that an agent reads from which another is hidden. */
async function hideAgents(server: Tour['market']['server'], { ada, bob, cleo, tweetId }: Tour['story']): Promise<void> {
  const { client } = cleo
  await client.muteAgent({ id: 'bob' })
  await client.blockAgent({ id: 'ada' })
  await client.listMutes()
  await client.listBlocks()
  for (const mode of ['new', 'trending', 'for_you'] as const) {
    await client.listTweets({ mode })
    await client.listTweets({ mode, onlyRootTweets: true })
    await client.listTweets({ mode, search: 'rooks' })
  }
  await client.listTweets({ mode: 'new', username: 'bob' })
  await client.listTweets({ ids: tweetId })
  await client.searchTweets({ q: 'rooks' })
  await client.listAgents({ search: 'a' })
  await client.listFollowers({ id: 'bob' })
  await client.listSkills({ search: 'rooks' })
  await client.getAgent({ identifier: 'ada' })
  await ada.client.getTweet({ id: tweetId })
  const [viewer] = [{ ...cleo, hasHidden: true }]
  await readHidden(server.deps.db, [{ agentId: bob.id, viewers: [viewer] }])
  await client.unmuteAgent({ id: 'bob' })
  await client.unblockAgent({ id: 'ada' })
}

/** Lists of agents in every order and with every filter. */
export async function readAgents({ market, step, story }: Tour): Promise<void> {
  const { bob } = story
  const anyone = market.server.client()
  const orders = [
    'SHARE_PRICE',
    'VOL',
    'HOLDING',
    'TGE_AT',
    'FOLLOWERS_COUNT',
    'FOLLOWING_COUNT',
    'CREATED_AT',
    'CHANGE_24H',
    'HOLDERS',
    'MARKET_VALUE',
  ] as const
  for (const sortBy of orders)
    for (const client of [anyone, bob.client])
      await step(`listAgents ${sortBy}`, async () => {
        const order = { sortBy, sortOrder: client === anyone ? 'ASC' : 'DESC', limit: 1 } as const
        const { meta } = await client.listAgents(order)
        if (meta.nextCursor !== null) await client.listAgents({ ...order, cursor: meta.nextCursor })
      })
  await step('listAgents by name', async () => {
    for (const more of [{}, { minHolder: 0 }, { sortBy: 'VOL' as const }]) {
      const request = { search: 'a', limit: 1, ...more }
      let { meta } = await anyone.listAgents(request)
      while (meta.nextCursor !== null) ({ meta } = await anyone.listAgents({ ...request, cursor: meta.nextCursor }))
    }
  })
  await step('getAgentByClaim by code', () => anyone.getAgentByClaim({ code: 'NOTACODE' }).catch(() => undefined))
  await step('updateProfile', () => bob.client.updateProfile({ displayName: 'Bob', bio: 'the builder' }))
  await step('updateProfile of a verified agent', () =>
    bob.client.updateProfile({ xUsername: 'other' }).catch(() => undefined),
  )
  await step('listAgents with filters', () =>
    anyone.listAgents({
      minHolder: 0,
      maxHolder: 9,
      minPriceBnb: '0',
      minHoldingValueBnb: '0',
      minVolumeBnb: '0',
      minChange24h: -100,
      maxChange24h: 0,
      minTgeAt: '0',
      minFollowersCount: 0,
      minFollowingCount: 0,
      minOwnerXFollowersCount: 0,
      minOwnerXFollowingCount: 0,
    }),
  )
  for (const search of ['ad', 'counts the rooks', '@bob'])
    for (const call of ['listAgents', 'listAgentSummaries', 'listTrendingAgents'] as const)
      await step(`${call} ${search}`, () => anyone[call]({ search }))
  await step('listAgentSummaries', () => anyone.listAgentSummaries())
  await step('listTrendingAgents', () => anyone.listTrendingAgents())
  await step('listFollowers', async () => {
    const { meta } = await bob.client.listFollowers({ id: 'ada', limit: 1 })
    if (meta.nextCursor !== null) await bob.client.listFollowers({ id: 'ada', limit: 1, cursor: meta.nextCursor })
  })
}

/** The skill market by search, filters and the rest of what can be done to an item. */
export async function searchSkills({ market, step, story }: Tour): Promise<void> {
  const { ada, bob, skillId: id } = story
  for (const client of [market.server.client(), ada.client, bob.client]) {
    for (const sortBy of ['hottest', 'newest', 'trending'] as const)
      await step(`listSkills ${sortBy}`, () =>
        client.listSkills({
          sortBy,
          type: 'skill',
          tags: 'birds',
          creator: 'ada',
          isActive: true,
          scanStatus: 'clean',
        }),
      )
    await step('listSkills by id', () => client.listSkills({ ids: `${id},counting-rooks` }))
    await step('listSkills by words', () => client.listSkills({ search: 'how to count rooks' }))
    await step('listSkills by words, sorted', () => client.listSkills({ search: 'counting', sortBy: 'newest' }))
  }
  await step('getSkill by slug', () => bob.client.getSkill({ id: 'counting-rooks' }))
  await step('listSkillVersions', () => bob.client.listSkillVersions({ id, limit: 1 }))
  await step('getSkillVersion', () => bob.client.getSkillVersion({ skillId: id }))
  await step('getTrendingTags', () => bob.client.getTrendingTags())
  await step('unlikeSkill', () => bob.client.unlikeSkill({ id }))
  await step('unlikeSkill without a download', async () => {
    await story.cleo.client.likeSkill({ id })
    await story.cleo.client.unlikeSkill({ id })
    await story.cleo.client.unlikeSkill({ id })
  })
  await step('updateSkill', () => ada.client.updateSkill({ id, tags: ['birds', 'trees'], visibility: 'private' }))
  await step('a version', async () => {
    const content = 'Count twice.'
    const { id: versionId } = await ada.client.addSkillVersion({ id, versionNumber: '2.0.0', content })
    await ada.client.updateSkillVersion({ id, versionId, description: 'Better' })
    await market.server.drain()
    await ada.client.revokeSkillVersion({ id, versionId, reason: 'Worse' })
  })
  await step('rescan_skills', async () => {
    const { database, db, queue } = market.server.deps
    await database.pool.query('update skill_version set rules_version = 0')
    await queue.enqueue(db, 'rescan_skills', {})
    await market.server.drain()
  })
  await step('getSkillDocument', () => ada.client.getSkillDocument())
  await step('deleteSkill', () => ada.client.deleteSkill({ id }))
}
