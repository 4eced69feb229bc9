import { randomBytes } from 'node:crypto'
import { registrationText } from '@rookery/api'
import { makeDataDir, startChain } from '@rookery/embedded-chain/test/market'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.js'
import { MARK, makePerson, type Person } from '../../../test/erasure/person.js'
import { findWords } from '../../../test/find-words.js'
import { listFiles } from '../../../test/list-files.js'
import { findMiscounts } from '../../../test/random-actions.js'
import { outcome, refused } from '../../../test/refusal.js'
import { createWallet } from '../../../test/seed.js'
import { createShareMarket, OPERATOR_PRIVATE_KEY, type ShareMarket } from '../../../test/share-market.js'
import { startServerOn, type TestServer } from '../../../test/start-server.js'
import { banWallet } from '../moderation/ban-wallet.js'
import { erase } from './erase.js'
import { eraseSome, listErasures, planErasure } from './erasures.js'
import { findAgentToErase, findOwnerToErase, walletToErase } from './find.js'

vi.setConfig({ testTimeout: 120_000 })

const PAUSE_MS = 11 * 60_000

const moderatorWallet = createWallet()
let one: TestServer
/** A second process on the same database; with the embedded engine there is but one. */
let two: TestServer
let market: ShareMarket
let person: Person
let agentId: string
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const folder = await makeDataDir()
  const chain = await startChain(folder.dataDir)
  const database = await createTestDatabase()
  const env = { ...database.env, SERVER_SECRET: randomBytes(32).toString('hex') }
  const more = { OPERATOR_PRIVATE_KEY, WEBHOOKS_ALLOW_PRIVATE: 'yes', MODERATOR_WALLETS: moderatorWallet.address }
  one = await startServerOn(env, { env: more, replace: { embeddedChain: chain } })
  two = one
  if (inject('engine') !== 'embedded') two = await startServerOn(env, { env: more, replace: { embeddedChain: chain } })
  market = createShareMarket(one, chain)
  closers.push(
    folder.remove,
    () => chain.close(),
    database.remove,
    () => one.stop(),
  )
  if (two !== one) closers.push(() => two.stop())
  closers.push(() => market.stop())
  const { client: moderator } = await one.seed.signIn(moderatorWallet)
  person = await makePerson(market, moderator)
  agentId = person.agent.id
}, 300_000)
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const pool = () => one.deps.database.pool
/** Runs the jobs to the end, and the second pass of the erasures. */
async function finish(): Promise<void> {
  await one.drain()
  one.clock.advance(PAUSE_MS)
  await one.drain()
}

/** What everybody gets, from both processes, of an agent that is gone. */
async function readExits(): Promise<string> {
  const texts: string[] = []
  for (const server of [one, two]) {
    const anyone = server.client()
    const { client } = { client: server.client({ apiKey: person.bob.apiKey }) }
    const answers = await Promise.all([
      outcome(anyone.getAgent({ identifier: MARK })),
      outcome(anyone.getAgent({ identifier: agentId })),
      outcome(client.followAgent({ id: MARK })),
      outcome(client.followAgent({ id: agentId })),
      outcome(anyone.getTweet({ id: person.tweetId })),
      outcome(anyone.getSkill({ id: person.skillSlug })),
      outcome(server.client({ apiKey: person.agent.apiKey }).getMe()),
    ])
    texts.push(answers.join())
  }
  return texts.join('\n')
}

/** What is the owner’s, and what others wrote. */
const OF_OWNER = [
  'local_x_account.handle',
  'local_x_account.name',
  'local_x_token.handle',
  'owner.x_handle',
  'owner.x_id',
  'owner.x_name',
  'report.text',
  'tweet.content',
]

const GONE = ['404 AGENT_NOT_FOUND', '404 AGENT_NOT_FOUND', '404 AGENT_NOT_FOUND', '404 AGENT_NOT_FOUND']

/** Lists in which the agent, what it wrote and what it did may show. */
async function readLists(): Promise<string> {
  const texts: string[] = []
  for (const server of [one, two]) {
    const anyone = server.client()
    const client = server.client({ apiKey: person.bob.apiKey })
    texts.push(
      JSON.stringify(
        await Promise.all([
          anyone.listTweets({ mode: 'new' }),
          anyone.listTweets({ visibility: 'private' }),
          anyone.listTrendingAgents(),
          anyone.listAgents(),
          anyone.listSkills(),
          anyone.getTrendingTags(),
          anyone.searchTweets({ q: MARK }),
          anyone.listAgents({ search: MARK }),
          anyone.listFollowers({ id: 'bob' }),
          anyone.listTrades(),
          anyone.listTraders(),
          anyone.getMap(),
          client.listNotifications(),
          client.getTweet({ id: person.replyId }),
          client.listTweets({ mode: 'following' }),
        ]),
      ),
    )
  }
  return texts.join('\n')
}

describe('erasing a person who is everywhere', () => {
  test('a plan changes nothing', async () => {
    const sought = await findAgentToErase(one.deps, MARK)
    const planned = await planErasure(one.deps.db, sought)
    expect(planned.map(({ table }) => table)).toEqual(expect.arrayContaining(['tweet', 'skill', 'upload', 'webhook']))
    expect(await listErasures(one.deps.db)).toEqual([])
    expect(await outcome(one.client().getAgent({ identifier: MARK }))).toBe('done')
    expect((await findWords(pool(), [MARK])).length).toBeGreaterThan(40)
  })

  test('an agent is gone from every exit of every process when the command answers', async () => {
    await readLists()
    await person.agent.client.getMe()
    await banWallet(one.deps, person.agent.wallet.address)
    await erase(one.deps, await findAgentToErase(one.deps, MARK))
    for (const line of (await readExits()).split('\n'))
      expect(line.split(',')).toEqual([
        ...GONE,
        expect.stringMatching(/^40/),
        expect.stringMatching(/^40/),
        '401 INVALID_API_KEY',
      ])
    const lists = (await readLists()).replaceAll(`Listen to @${MARK}`, '').replaceAll(`["${MARK}"]`, '')
    expect(lists).not.toContain(MARK)
  })

  test('killed after any part, it goes on where it was', async () => {
    const [erasure] = await listErasures(one.deps.db)
    const id = erasure?.id ?? ''
    for (let part = 0; part < 60; part++) await eraseSome(one.deps.db, one.deps, id)
    const killed = {
      ...one.deps.db,
      transaction: (work: never) =>
        one.deps.db.transaction(async (db) => {
          await (work as (db: unknown) => Promise<unknown>)(db)
          throw new Error('killed')
        }),
    }
    await expect(eraseSome(killed as never, one.deps, id)).rejects.toThrow('killed')
    await finish()
    expect((await listErasures(one.deps.db))[0]).toMatchObject({
      kind: 'agent',
      agentId,
      finishedAt: expect.any(String),
    })
  })

  test('counts are exact, and replies of others stay', async () => {
    expect(await findMiscounts(pool())).toEqual([])
    const { client } = person.bob
    expect(await client.getTweet({ id: person.replyId })).toMatchObject({
      parentTweetId: person.tweetId,
      parentTweet: { id: person.tweetId, deleted: true },
    })
    expect((await client.getMe()).followersCount).toBe(0)
    const { rows } = await pool().query('select name, items_count from skill_tag')
    expect(rows).toEqual([{ name: 'birds', items_count: 1 }])
  })

  test('nothing of an agent is left but for what others wrote, nor of its files', async () => {
    expect(await findWords(pool(), [MARK])).toEqual(OF_OWNER)
    expect((await listFiles(one.config.DATA_DIR, 'files')).filter((name) => name !== 'identity')).toEqual([])
    const { rows } = await pool().query('select username, wallet_address, subject, bio from agent where id = $1', [
      agentId,
    ])
    expect(JSON.stringify(rows)).not.toMatch(
      new RegExp(`${MARK}|${person.agent.wallet.address.slice(2)}|${person.agent.subject}`, 'i'),
    )
  })

  test('an owner and then a wallet: no word, name, handle or id is left anywhere, and what stays says why', async () => {
    const before = await one.seed.login('bob')
    await erase(one.deps, await findOwnerToErase(one.deps, `x_${MARK}`))
    expect(await refused(person.owner.getOwner())).toBe('401 INVALID_TOKEN')
    await erase(one.deps, walletToErase(person.agent.wallet.address))
    expect(await refused(person.wallet.listAlerts())).toBe('401 INVALID_TOKEN')
    await finish()
    const address = person.agent.wallet.address.toLowerCase()
    expect(await findWords(pool(), [MARK, ...person.identities])).toEqual(['tweet.content'])
    const { rows } = await pool().query('select content from tweet where content ilike $1', [`%${MARK}%`])
    expect(rows).toEqual([{ content: `Listen to @${MARK}` }])
    expect(await findWords(pool(), [address])).toEqual([
      'event.data',
      'share_cost.wallet',
      'share_holding.holder',
      'share_launch.owner',
      'trade.trader',
      'trader.address',
    ])
    expect(await findMiscounts(pool())).toEqual([])
    expect(await outcome(before.client.getOwner())).toBe('done')
    const lines = [...one.logged, ...two.logged].join('\n').toLowerCase()
    for (const word of [MARK, address]) expect(lines).not.toContain(word)
  })

  test('the name stays with nobody for a year, the slug for ever, and a ban holds', async () => {
    const stranger = createWallet()
    const register = async (wallet: typeof stranger, name: string) =>
      one.client().registerAgent({
        name,
        walletAddress: wallet.address,
        signature: await wallet.signMessage({ message: registrationText('Rookery', name) }),
      })
    expect(await refused(register(stranger, MARK))).toBe('409 USERNAME_TAKEN')
    expect(await refused(register(person.agent.wallet, 'again'))).toBe('403 WALLET_BANNED')
    const { slug } = await person.bob.client.createSkill({
      name: `The ${MARK} skill`,
      content: '# Other\n',
      type: 'skill',
    })
    expect(slug).not.toBe(person.skillSlug)
    one.clock.advance(366 * 24 * 60 * 60_000)
    expect(await outcome(register(stranger, MARK))).toBe('done')
  })
})
