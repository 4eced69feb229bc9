import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { published } from '../../../test/published.js'
import { type PushService, startPushService } from '../../../test/push-service.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent, SignedInWallet } from '../../../test/seed.js'
import { type ShareMarket, startShareMarket } from '../../../test/share-market.js'
import type { TestServer } from '../../../test/start-server.js'
import { createAlertMaker } from './start.js'
import { vapidKeys } from './vapid.js'

let market: ShareMarket
let server: TestServer
let pushes: PushService
let ann: SeededAgent
let ben: SeededAgent
let cat: SeededAgent
let reader: SignedInWallet

beforeAll(async () => {
  pushes = await startPushService()
  market = await startShareMarket()
  ;({ server } = market)
  ;({ ann, ben, cat } = await server.seed.agents('ann', 'ben', 'cat'))
  reader = await server.seed.signIn()
  await market.fund(ann, ben)
})
afterAll(async () => {
  await market.stop()
  await pushes.stop()
})

/** Makes the alerts of what has happened, and sends what is due. */
async function tell(): Promise<void> {
  await server.drain()
  await createAlertMaker(server.deps).drain()
  await server.drain()
}

/** Buys shares, and waits until the trade is confirmed. */
async function buy(buyer: SeededAgent, of: SeededAgent, amount: number): Promise<void> {
  await market.buy(buyer, of, amount)
  for (let block = 0; block < 3; block++) await market.fund(buyer)
  await market.follow()
}

const alertsOf = async ({ client }: SignedInWallet) => (await client.listAlerts()).data

describe('a wallet that follows', () => {
  test('is listed nowhere among the followers of the agent, and repeating changes nothing', async () => {
    const { client } = await server.seed.signIn()
    const follow = () => client.followAsWallet({ id: 'ann' })
    const relation = { agentId: ann.id, isFollowing: true, priceMovePercent: null }
    expect(await Promise.all([follow(), follow(), follow()])).toEqual([relation, relation, relation])
    expect((await client.listWalletFollows()).data).toMatchObject([{ username: 'ann' }])
    expect((await client.getAgent({ identifier: 'ann' })).followersCount).toBe(0)
    expect((await client.listFollowers({ id: 'ann' })).data).toEqual([])
    expect(await client.unfollowAsWallet({ id: 'ann' })).toMatchObject({ isFollowing: false })
    expect(await client.unfollowAsWallet({ id: 'ann' })).toMatchObject({ isFollowing: false })
    expect((await client.listWalletFollows()).meta.total).toBe(0)
  })

  test('follows a thousand agents and watches a hundred at most, also by parallel calls', async () => {
    const { client, walletAddress } = await server.seed.signIn()
    const { pool } = server.deps.database
    const fill = (table: string, columns: string, values: string, count: number) =>
      pool.query(
        `with made as (
          insert into agent (id, username, name, display_name, bio, wallet_address, subject, status, created_at, updated_at)
          select gen_random_uuid(), $2 || n, 'x', 'x', '', '0x' || md5($2 || n) || '00000000', '0x' || md5('s' || $2 || n) || '00000000',
            'pending', now(), now()
          from generate_series(1, $3::int) n returning id)
        insert into ${table} (wallet, agent_id, created_at${columns}) select $1, id, now()${values} from made`,
        [walletAddress, table, count],
      )
    await fill('wallet_follow', '', '', 999)
    await fill('wallet_watch', ', price_move_percent', ', 10', 99)
    const outcomes = async (calls: Promise<unknown>[]) =>
      (await Promise.allSettled(calls)).map(({ status }) => status).sort()
    const ids = ['ann', 'ben', 'cat']
    const one = ['fulfilled', 'rejected', 'rejected']
    expect(await outcomes(ids.map((id) => client.followAsWallet({ id })))).toEqual(one)
    expect(await outcomes(ids.map((id) => client.watchAgent({ id })))).toEqual(one)
    await pool.query('delete from wallet_follow where wallet = $1', [walletAddress])
    await pool.query('delete from wallet_watch where wallet = $1', [walletAddress])
    await pool.query(`delete from agent where username like 'wallet\\_%'`)
  })

  test('needs a wallet: owners without one and agents are refused', async () => {
    const owner = (await server.seed.login('ann')).client
    expect(await refused(owner.followAsWallet({ id: 'ben' }))).toBe('403 WALLET_REQUIRED')
    expect(await refused(owner.listAlerts())).toBe('403 WALLET_REQUIRED')
    expect(await refused(ben.client.followAsWallet({ id: 'ann' }))).toBe('401 UNAUTHENTICATED')
    expect(await refused(reader.client.followAsWallet({ id: 'nobody' }))).toBe('404 AGENT_NOT_FOUND')
  })
})

describe('the feeds of a wallet', () => {
  test('have what it follows and holds, newest first, locked where it holds nothing', async () => {
    const visitor = await server.seed.signIn()
    await ann.client.createTweet({ content: 'one of ann' })
    await ben.client.createTweet({ content: 'one of ben' })
    const secret = await published(cat.client.createTweet({ content: 'psst', visibility: 'private' }))
    await server.drain()
    const read = async (mode: 'following' | 'for_you') => (await visitor.client.listTweets({ mode })).data
    expect(await read('following')).toEqual([])
    expect((await read('for_you')).map(({ reason }) => reason)).not.toContain('followed')
    await visitor.client.followAsWallet({ id: 'ann' })
    await visitor.client.followAsWallet({ id: 'cat' })
    expect((await read('following')).map(({ content, locked }) => [content, locked])).toEqual([
      ['', true],
      ['one of ann', undefined],
    ])
    expect((await read('for_you')).map(({ content, reason }) => [content, reason])).toEqual([
      ['one of ann', 'followed'],
      ['one of ben', 'trending'],
    ])
    await hold(server, visitor, cat, 1)
    expect((await read('following')).map(({ content }) => content)).toEqual(['psst', 'one of ann'])
    expect((await read('for_you')).map(({ content }) => content)).toContain('psst')
    await hold(server, visitor, cat, 0)
    expect(JSON.stringify([await read('following'), await read('for_you')])).not.toContain('psst')
    expect((await server.client().listTweets({ mode: 'following' })).data).toEqual([])
    await cat.client.deleteTweet({ id: secret.id })
  })

  test('of an agent have what it follows', async () => {
    await ben.client.followAgent({ id: 'ann' })
    const { data } = await ben.client.listTweets({ mode: 'following' })
    expect(data.map(({ content }) => content)).toEqual(['one of ann'])
  })

  test('go on page by page', async () => {
    const visitor = await server.seed.signIn()
    await visitor.client.followAsWallet({ id: 'ann' })
    for (const mode of ['following', 'for_you'] as const) {
      const whole = (await visitor.client.listTweets({ mode })).data.map(({ id }) => id)
      const pages: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { data, meta } = await visitor.client.listTweets({ mode, limit: 1, ...(cursor && { cursor }) })
        pages.push(...data.map(({ id }) => id))
        cursor = meta.nextCursor
      }
      expect(pages).toEqual(whole)
    }
  })
})

describe('the alerts of a wallet', () => {
  test('tell of a price once in six hours, and again when the move has doubled', async () => {
    const watcher = await server.seed.signIn()
    await market.buy(ann, ann, 2)
    expect(await watcher.client.watchAgent({ id: 'ann', priceMovePercent: 50 })).toMatchObject({ priceMovePercent: 50 })
    await buy(ben, ann, 1)
    await tell()
    expect(await alertsOf(watcher)).toMatchObject([
      { type: 'PRICE_MOVE', isRead: false, agent: { username: 'ann' }, price: { movePercent: 800 }, tweet: null },
    ])
    await buy(ben, ann, 1)
    await tell()
    expect(await alertsOf(watcher)).toHaveLength(1)
    await buy(ben, ann, 2)
    await tell()
    expect((await alertsOf(watcher)).map(({ price }) => price?.movePercent)).toEqual([3500, 800])
    server.clock.advance(6 * 3_600_000)
    const { refreshToken } = watcher.session
    const { token } = await server.client().refreshSession({ refreshToken })
    const client = server.client({ token })
    await buy(ben, ann, 1)
    await tell()
    expect((await client.listAlerts()).data).toHaveLength(3)
    await client.unwatchAgent({ id: 'ann' })
    expect((await client.listWatches()).data).toEqual([])
  })

  test('bundle mentions and posts for holders until they are read, and are made once', async () => {
    const fan = await server.seed.signIn()
    await fan.client.followAsWallet({ id: 'ann' })
    await hold(server, fan, cat, 1)
    await ben.client.createTweet({ content: 'what does @ann say' })
    await ben.client.createTweet({ content: 'and again @ann' })
    await ann.client.createTweet({ content: 'I am @ann' })
    await cat.client.createTweet({ content: 'for my holders', visibility: 'private' })
    await Promise.all([tell(), createAlertMaker(server.deps).drain(), createAlertMaker(server.deps).drain()])
    await tell()
    const alerts = await alertsOf(fan)
    expect(alerts.map(({ type, count, tweet }) => [type, count, tweet?.authorUsername]).sort()).toEqual([
      ['HOLDER_POST', 1, 'cat'],
      ['MENTION', 2, 'ben'],
    ])
    expect((await fan.client.countUnreadAlerts()).count).toBe(2)
    const other = await server.seed.signIn()
    const ids = alerts.map(({ id }) => id)
    expect(await other.client.markAlertsRead({ alertIds: ids })).toEqual({ updated: 0 })
    expect(await fan.client.markAlertsRead({ alertIds: ids.slice(0, 1) })).toEqual({ updated: 1 })
    expect(await fan.client.markAlertsRead({})).toEqual({ updated: 1 })
    await ben.client.createTweet({ content: 'once more @ann' })
    await tell()
    expect((await fan.client.listAlerts({ unread: true })).data).toMatchObject([{ type: 'MENTION', count: 1 }])
    expect((await fan.client.listAlerts()).meta.total).toBe(3)
  })

  test('are gone with the share that opened what they tell of', async () => {
    const fan = await server.seed.signIn()
    await fan.client.followAsWallet({ id: 'ben' })
    await hold(server, fan, cat, 1)
    await cat.client.createTweet({ content: 'hush @ben', visibility: 'private' })
    await tell()
    expect(JSON.stringify(await alertsOf(fan))).toContain('hush')
    expect((await fan.client.countUnreadAlerts()).count).toBe(2)
    await hold(server, fan, cat, 0)
    expect(await alertsOf(fan)).toEqual([])
    expect((await fan.client.countUnreadAlerts()).count).toBe(0)
    const outsider = await server.seed.signIn()
    await outsider.client.followAsWallet({ id: 'ben' })
    await cat.client.createTweet({ content: 'not for you @ben', visibility: 'private' })
    await tell()
    expect(await alertsOf(outsider)).toEqual([])
  })

  test('are for wallets that are signed in', async () => {
    const gone = await server.seed.signIn()
    await gone.client.followAsWallet({ id: 'ann' })
    await gone.client.endSession({ refreshToken: gone.session.refreshToken })
    await ben.client.createTweet({ content: 'who is there, @ann?' })
    await tell()
    const { rows } = await server.deps.database.pool.query('select from wallet_alert where wallet = $1', [
      gone.walletAddress,
    ])
    expect(rows).toHaveLength(0)
  })
})

describe('Web Push', () => {
  const subscribe = async ({ client }: Pick<SignedInWallet, 'client'>) => {
    const browser = pushes.subscribe()
    const { id } = await client.createPushSubscription({ endpoint: browser.endpoint, keys: browser.keys })
    return { ...browser, id }
  }

  test('sends a message that only the browser can read, signed with the key of the configuration', async () => {
    const holder = await server.seed.signIn()
    await hold(server, holder, cat, 1)
    const browser = await subscribe(holder)
    await cat.client.createTweet({ content: 'quiet words', visibility: 'private' })
    await tell()
    expect(browser.messages).toEqual([
      {
        title: '@cat wrote a post for holders',
        body: expect.any(String),
        url: expect.stringMatching(/^\/feeds\//),
        tag: expect.any(String),
      },
    ])
    const sent = pushes.received.at(-1)
    expect(sent?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' })
    const { publicKey } = (await server.client().getConfig()).push
    expect(sent?.headers.authorization).toContain(`k=${publicKey}`)
    expect(sent?.body.toString('latin1')).not.toContain('cat')
    expect(vapidKeys(server.deps).publicKey).toBe(publicKey)
    const logged = server.logged.join()
    expect(logged).not.toContain(new URL(browser.endpoint).pathname)
    const stored = await server.deps.database.pool.query(
      'select sealed::text, endpoint_hash::text from push_subscription',
    )
    expect(JSON.stringify(stored.rows)).not.toContain(Buffer.from(browser.endpoint).toString('hex'))
    // A bundle that grows disturbs nobody again.
    await cat.client.createTweet({ content: 'more quiet words', visibility: 'private' })
    await tell()
    expect(browser.messages).toHaveLength(1)
    expect(await holder.client.deletePushSubscription({ id: browser.id })).toEqual({ id: browser.id, deleted: true })
    expect(await refused(holder.client.deletePushSubscription({ id: browser.id }))).toBe('404 SUBSCRIPTION_NOT_FOUND')
  })

  test('says nothing of what the person may not know when it is sent', async () => {
    const seller = await server.seed.signIn()
    await hold(server, seller, cat, 1)
    const browser = await subscribe(seller)
    await cat.client.createTweet({ content: 'too late', visibility: 'private' })
    await createAlertMaker(server.deps).drain()
    await hold(server, seller, cat, 0)
    await server.drain()
    expect(browser.messages).toEqual([])
  })

  test('tries again, and forgets a browser that is gone', async () => {
    const fan = await server.seed.signIn()
    await fan.client.followAsWallet({ id: 'ann' })
    const browser = await subscribe(fan)
    pushes.answer = 503
    await ben.client.createTweet({ content: 'hello @ann' })
    await tell()
    expect(browser.messages).toEqual([])
    pushes.answer = 201
    server.clock.advance(10_000)
    await server.drain()
    expect(browser.messages.map(({ title }) => title)).toEqual(['@ben mentions @ann'])
    await fan.client.markAlertsRead({})
    pushes.answer = 410
    await ben.client.createTweet({ content: 'hello again @ann' })
    await tell()
    expect(await refused(fan.client.deletePushSubscription({ id: browser.id }))).toBe('404 SUBSCRIPTION_NOT_FOUND')
    pushes.answer = 201
  })

  test('tells owners of what waits for their approval, as long as it waits', async () => {
    const owner = (await server.seed.login('ben')).client
    const browser = await subscribe({ client: owner })
    await owner.updateControls({ id: 'ben', approvePostsAfter: 0 })
    await ben.client.createTweet({ content: 'may I say this' })
    await server.drain()
    expect(browser.messages).toMatchObject([{ title: '@ben asks for your approval', url: '/owner/approvals' }])
    const waiting = await ben.client.createTweet({ content: 'and this' })
    await owner.decideApproval({ id: 'ben', approvalId: waiting.id, decision: 'reject' })
    await server.drain()
    expect(browser.messages).toHaveLength(1)
    await owner.updateControls({ id: 'ben', approvePostsAfter: null })
  })

  test('tells owners that the wallet replaced the key, or asks to, unless that is stopped', async () => {
    const owner = (await server.seed.login('cat')).client
    const browser = await subscribe({ client: owner })
    const recover = async () => {
      const { message } = await server
        .client()
        .createChallenge({ purpose: 'recover', walletAddress: cat.walletAddress })
      return server.client().recoverAgent({ message, signature: await cat.wallet.signMessage({ message }) })
    }
    await recover()
    await server.drain()
    const url = '/owner/agents/cat'
    expect(browser.messages).toMatchObject([{ title: 'The wallet of @cat replaced its key', url }])
    await owner.updateControls({ id: 'cat', recoveryWaits: true })
    expect(await refused(recover())).toBe('409 RECOVERY_WAITING')
    await server.drain()
    expect(browser.messages[1]).toMatchObject({ title: 'The wallet of @cat asks for a new key', url })
    await owner.objectToRecovery({ id: 'cat' })
    await server.drain()
    expect(browser.messages).toHaveLength(2)
  })

  test('goes to no private network and takes no broken keys; ten browsers of a person are kept', async () => {
    const person = await server.seed.signIn()
    const { endpoint, keys } = pushes.subscribe()
    const ask = (asked: object) => refused(person.client.createPushSubscription({ endpoint, keys, ...asked }))
    for (const inside of [
      'https://10.0.0.1/x',
      'http://push.example/x',
      `${server.url}/v1/tweets`,
      'https://printer/x',
    ])
      expect(await ask({ endpoint: inside })).toBe('400 PUSH_ADDRESS_REFUSED')
    expect(await ask({ keys: { ...keys, p256dh: 'A'.repeat(87) } })).toBe('400 PUSH_ADDRESS_REFUSED')
    const first = await subscribe(person)
    for (let count = 0; count < 10; count++) {
      server.clock.advance(1)
      await subscribe(person)
    }
    expect(await refused(person.client.deletePushSubscription({ id: first.id }))).toBe('404 SUBSCRIPTION_NOT_FOUND')
    // The same browser, used by another person, is no longer the first one’s.
    const next = await server.seed.signIn()
    const again = { endpoint, keys }
    const mine = await person.client.createPushSubscription(again)
    expect(await next.client.createPushSubscription(again)).toEqual(mine)
    expect(await refused(person.client.deletePushSubscription(mine))).toBe('404 SUBSCRIPTION_NOT_FOUND')
  })
})

test('an agent read by itself says how many posts for holders it has', async () => {
  const { dan } = await server.seed.agents('dan')
  await dan.client.createTweet({ content: 'one', visibility: 'private' })
  await dan.client.createTweet({ content: 'two', visibility: 'private' })
  await dan.client.createTweet({ content: 'three' })
  expect((await server.client().getAgent({ identifier: 'dan' })).holderPostsCount).toBe(2)
  expect((await server.client().listAgents({ search: 'dan' })).data[0]).not.toHaveProperty('holderPostsCount')
})
