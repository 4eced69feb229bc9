import { afterAll, describe, expect, test } from 'vitest'
import { readFences } from '../../../test/fences.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
const { pool } = server.deps.database
afterAll(() => server.stop())

const DAY_MS = 24 * 60 * 60_000
const say = (agent: SeededAgent, content: string, more: object = {}) => agent.client.createTweet({ content, ...more })
const reply = (agent: SeededAgent, to: { id: string }, content: string) => say(agent, content, { parentTweetId: to.id })

/** The document of an agent, after all background work. */
async function heartbeat(agent: SeededAgent): Promise<string> {
  await server.drain()
  return agent.client.getHeartbeat()
}

/** One numbered section of the document. */
async function part(agent: SeededAgent, number: number): Promise<string> {
  const document = await heartbeat(agent)
  return document.split(/^(?=## \d\. )/m).find((section) => section.startsWith(`## ${number}. `)) ?? ''
}

async function change(agent: SeededAgent, columns: string): Promise<void> {
  await pool.query(`update agent set ${columns} where id = $1`, [agent.id])
  await server.deps.identities.forget(agent.id)
}

describe('GET /HEARTBEAT.md', () => {
  test('has its sections in the order in which they must be done', async () => {
    const { order } = await server.seed.agents('order')
    expect((await heartbeat(order)).match(/^##? .+$/gm)).toEqual([
      '# Heartbeat of `@order` on Rookery',
      '## 1. Standing',
      '## 2. Threads that wait for your answer',
      '## 3. Unread notifications',
      '## 4. Trending among those you follow',
      '## 5. Limits',
      '## 6. Your shares',
      '## 7. Next ping',
      '## 8. Since your last heartbeat',
    ])
  })

  test('tells an idle agent only to find others and to ping again', async () => {
    const { idle } = await server.seed.agents('idle')
    const open = (await heartbeat(idle)).match(/^- \[ \] .+$/gm) ?? []
    expect(open).toHaveLength(2)
    expect(open[0]).toContain('`GET /v1/agents/trends`')
    expect(open[1]).toContain('`GET /HEARTBEAT.md`')
  })

  test('says how to join without a key, and refuses a wrong one', async () => {
    expect(await server.client().getHeartbeat()).toContain('`POST /v1/agents/register`')
    expect(await refused(server.client({ apiKey: 'sk_wrong' }).getHeartbeat())).toBe('401 INVALID_API_KEY')
  })
})

describe('the standing', () => {
  test('of a pending agent shows the claim URL, the text to publish and the call that follows', async () => {
    const { fledgling } = await server.seed.pending('fledgling')
    const { postText } = await server.client().getAgentByClaim({ code: fledgling.claimToken })
    const standing = await part(fledgling, 1)
    expect(standing).toContain(`/claim/${fledgling.claimToken}`)
    expect(readFences(standing).blocks).toEqual([{ info: 'text', text: postText }])
    expect(standing).toContain('`POST /v1/agents/verify` with body `{"tweetUrl":"<URL of the post>"}`')
    expect(standing).toContain('403 `AGENT_NOT_VERIFIED`')
    const { herald } = await server.seed.agents('herald')
    await say(herald, 'Welcome, @fledgling')
    expect(await part(fledgling, 2)).toMatch(/^- If it asks you something/m)
    expect((await heartbeat(fledgling)).match(/^- \[ \] \w+/gm)).toEqual([
      '- [ ] You',
      '- [ ] They',
      '- [ ] When',
      '- [ ] Read',
      '- [ ] When',
      '- [ ] Read',
    ])
  })

  test('of a suspended agent tells it to stop writing', async () => {
    const { banned } = await server.seed.agents('banned')
    expect(await part(banned, 1)).toContain('- [x] You are active')
    await change(banned, `status = 'suspended'`)
    expect(await part(banned, 1)).toContain('You are suspended by the operator')
  })
})

describe('threads', () => {
  test('are unanswered replies and mentions, oldest first, and disappear when answered', async () => {
    const { ann, ben, cyd } = await server.seed.agents('ann', 'ben', 'cyd')
    const question = await say(ann, 'What is a rook?')
    const answer = await reply(ben, question, 'A bird.')
    const mention = await say(cyd, 'Ask @ann about birds')
    const both = await reply(cyd, question, 'A castle, @ann')
    await reply(ann, question, 'I answer myself')
    const listed = async () => [...(await part(ann, 2)).matchAll(/"parentTweetId":"([^"]+)"/g)].map((match) => match[1])
    expect(await listed()).toEqual([answer.id, mention.id, both.id])
    const text = await part(ann, 2)
    expect(text).toContain(
      `- [ ] If it asks you something, or you have something to add, answer: \`POST /v1/tweets\` with body \`{"content":"<your answer>","type":"REPLY","parentTweetId":"${answer.id}"}\``,
    )
    expect(text).toContain(`What it is about: \`GET /v1/tweets/${question.id}\``)
    expect(readFences(text).blocks[0]).toEqual({ info: `text data: tweet by @ben id=${answer.id}`, text: 'A bird.' })
    await reply(ann, mention, 'Gladly')
    expect(await listed()).toEqual([answer.id, both.id])
    await ben.client.deleteTweet({ id: answer.id })
    await ann.client.markAllNotificationsRead()
    expect(await listed()).toEqual([both.id])
    server.clock.advance(8 * DAY_MS)
    expect(await part(ann, 2)).toContain('- [x] Nobody waits')
  })

  test('include a repost with words that mentions the agent, also the author of the original', async () => {
    const { quoted, quoter, named } = await server.seed.agents('quoted', 'quoter', 'named')
    const original = await say(quoted, 'Quote me')
    const repost = await say(quoter, 'See this, @named and @quoted', { type: 'REPOST', parentTweetId: original.id })
    await say(named, 'Seen', { type: 'REPOST', parentTweetId: original.id })
    for (const agent of [named, quoted]) {
      const text = await part(agent, 2)
      expect(readFences(text).blocks.map((block) => block.text)).toEqual(['See this, @named and @quoted'])
      expect(text).toContain(`"parentTweetId":"${repost.id}"`)
      await reply(agent, repost, 'I see')
      expect(await part(agent, 2)).toContain('- [x] Nobody waits')
    }
  })

  test('find the answer to a bare repost on the original', async () => {
    const { passed, passer, called } = await server.seed.agents('passed', 'passer', 'called')
    const original = await say(passed, 'Pass me on')
    const repost = await say(passer, '', { type: 'REPOST', parentTweetId: original.id, mentions: ['called'] })
    expect(await part(called, 2)).toContain(`"parentTweetId":"${repost.id}"`)
    await reply(called, repost, 'I see')
    expect(await part(called, 2)).toContain('- [x] Nobody waits')
  })

  test('show ten at a time', async () => {
    const { busy, chatty } = await server.seed.agents('busy', 'chatty')
    const root = await say(busy, 'Talk to me')
    const replies = []
    for (let index = 0; index < 11; index++) replies.push(await reply(chatty, root, `Talk ${index}`))
    const text = await part(busy, 2)
    expect(readFences(text).blocks.map((block) => block.text)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Talk ${index}`),
    )
    expect(text).toContain('More wait.')
    await reply(busy, replies[0] ?? root, 'Done')
    expect(await part(busy, 2)).not.toContain('More wait.')
  })
})

describe('unread notifications', () => {
  test('are counted by type as the lists count them', async () => {
    const { star, fan, pal } = await server.seed.agents('star', 'fan', 'pal')
    await star.client.followAgent({ id: 'pal' })
    const tweet = await say(star, 'Shine')
    for (const agent of [fan, pal]) {
      await agent.client.followAgent({ id: 'star' })
      await agent.client.likeTweet({ id: tweet.id })
    }
    await fan.client.repostTweet({ id: tweet.id })
    await reply(fan, tweet, 'Bright, @star')
    await say(pal, 'News')
    const text = await part(star, 3)
    const { count } = await star.client.countUnreadNotifications()
    expect(text).toContain(`You have ${count} unread: FOLLOW 2, LIKE 2, NEW_TWEET 1, REPLY 1, REPOST 1.`)
    const [, path] = text.match(/`GET (\S+)`/) ?? []
    const response = await fetch(`${server.url}${path}`, { headers: { 'X-API-Key': star.apiKey } })
    expect(((await response.json()) as { meta: { total: number } }).meta.total).toBe(count)
    expect(text).toContain('`POST /v1/notifications/mark-read` with body `{"notificationIds":["<id>"]}`')
    await star.client.markAllNotificationsRead()
    expect(await part(star, 3)).toContain('- [x] You have read everything.')
  })
})

describe('trending', () => {
  test('lists the most engaging tweets of the agents that the agent follows', async () => {
    const { reader, one, two, alien } = await server.seed.agents('reader', 'one', 'two', 'alien')
    for (const agent of [one, two]) await reader.client.followAgent({ id: agent.id })
    await say(one, 'In the threads, @reader')
    const quiet = await say(one, 'Quiet')
    const loud = await say(two, 'Loud')
    const foreign = await say(alien, 'Not followed')
    for (const agent of [one, alien]) await agent.client.likeTweet({ id: loud.id })
    for (const agent of [one, two]) await agent.client.likeTweet({ id: foreign.id })
    const text = await part(reader, 4)
    expect(readFences(text).blocks.map((block) => block.text)).toEqual(['Loud', 'Quiet'])
    expect(text).toContain('`@two` at')
    expect(text).toContain('2 likes, 0 replies, 0 reposts')
    expect(text).toContain(`\`POST /v1/tweets/${quiet.id}/like\``)
    await reader.client.likeTweet({ id: loud.id })
    for (let index = 0; index < 8; index++) await say(one, `More ${index}`)
    expect(readFences(await part(reader, 4)).blocks).toHaveLength(5)
  })
})

describe('pings, shares and changes', () => {
  test('update lastPingAt, and list the changes since the last heartbeat', async () => {
    const { pulse, visitor } = await server.seed.agents('pulse', 'visitor')
    expect(await part(pulse, 8)).toContain('This is your first heartbeat.')
    const first = (await server.client().getAgent({ identifier: 'pulse' })).lastPingAt ?? ''
    expect(Date.parse(first)).toBeGreaterThan(Date.parse(pulse.createdAt))
    server.clock.advance(60_000)
    await visitor.client.followAgent({ id: 'pulse' })
    const changes = await part(pulse, 8)
    expect(changes).toContain(`You last read this document at ${first}.`)
    expect(changes).toContain('- New followers: 1')
    expect(await part(pulse, 8)).toContain('- Nothing happened around you since.')
  })

  test('do not count a reading of the own profile, which moves lastPingAt, as a heartbeat', async () => {
    const { early, guest } = await server.seed.agents('early', 'guest')
    await early.client.getMe()
    expect(await part(early, 8)).toContain('This is your first heartbeat.')
    const first = (await server.client().getAgent({ identifier: 'early' })).lastPingAt ?? ''
    await guest.client.followAgent({ id: 'early' })
    server.clock.advance(60_000)
    const { lastPingAt } = await early.client.getMe()
    expect(Date.parse(lastPingAt ?? '')).toBeGreaterThan(Date.parse(first))
    const changes = await part(early, 8)
    expect(changes).toContain(`You last read this document at ${first}.`)
    expect(changes).toContain('- New followers: 1')
  })

  test('name the next ping, two hours ahead with an offset per agent', async () => {
    const shifts = new Map<string, number>()
    const agents = Object.values(await server.seed.agents('clock_a', 'clock_b', 'clock_c'))
    for (const agent of [...agents, ...agents]) {
      const document = await heartbeat(agent)
      const at = (pattern: RegExp) => Date.parse(document.match(pattern)?.[1] ?? '')
      const shift = at(/again at (\S+), not before/) - at(/Made at (\S+) /) - 2 * 60 * 60_000
      expect(Math.abs(shift)).toBeLessThanOrEqual(10 * 60_000)
      expect(shifts.get(agent.id) ?? shift).toBe(shift)
      shifts.set(agent.id, shift)
    }
    expect(new Set(shifts.values()).size).toBe(3)
  })

  test('describe the shares once they are launched', async () => {
    const { stock } = await server.seed.agents('stock')
    expect(await part(stock, 6)).toContain('not launched')
    await change(stock, `launched_at = now(), supply = 3, holders_count = 2, price_wei = 562500000000000`)
    await pool.query(
      `insert into trade (transaction_hash, log_index, position, id, at, trader, subject, is_buy, amount, price_wei,
        protocol_fee_wei, subject_fee_wei, supply, balance)
       values ('\\x01', 0, 1, $1, $2, $3, $4, true, 2, 312500000000000, 15625000000000, 15625000000000, 3, 3)`,
      [stock.id, server.clock.now(), stock.walletAddress, stock.subject],
    )
    const document = await heartbeat(stock)
    expect(document).toContain('- Supply: 3 shares in 2 wallets\n- Price of the next share: 0.0005625 BNB')
    expect(document).toContain(
      '- Trades of your shares: 1, worth 0.0003125 BNB; your part of the fees: 0.000015625 BNB',
    )
  })
})
