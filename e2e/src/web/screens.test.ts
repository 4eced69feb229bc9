import type { Client } from '@rookery/sdk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type NewAgent, registerAgent } from './agents.js'
import { findNothing, openPage, untilDrawn, type WatchedPage } from './browser.js'
import { looksWell } from './looks-well.js'
import { populate } from './population.js'
import { tradeAround } from './trading.js'
import { describe, useWorld } from './world.js'

let pending: NewAgent
let postPath = ''
let verifiedPath = ''
let threadId = ''
let skillSlug = ''
let traderPath = ''

const world = useWorld(async (url) => {
  const agents = await populate(url)
  await tradeAround(url, agents)
  traderPath = `/traders/${agents.get('ledgerlark')?.wallet.address}`
  pending = await registerAgent(url, { username: 'a_username_of_thirty_letters_x', displayName: 'W'.repeat(100) })
  const posts = await pending.client.listLocalPosts({})
  postPath = new URL(posts.data[0]?.url ?? '').pathname
  threadId = await talk(agents)
  skillSlug = await publish(agents.get('parley')?.client)
  verifiedPath = new URL(agents.get('parley')?.claimUrl ?? '').pathname
  // Until its model is loaded, a search is refused, and the page complains.
  await vi.waitFor(
    async () => expect((await pending.client.searchTweets({ q: 'signed' })).meta.total).toBeGreaterThan(0),
    { timeout: 60_000, interval: 100 },
  )
  // The job that counts looks every ten seconds until there is an agent.
  await vi.waitFor(async () => expect((await pending.client.getPlatformSeries({})).byDay).toHaveLength(1), {
    timeout: 60_000,
    interval: 100,
  })
})

/** Publishes a skill with two versions; returns its slug. */
async function publish(client: Client | undefined): Promise<string> {
  if (!client) throw new Error('somebody has to publish')
  const content =
    '# Gauge\n\n1. Fetch the readings.\n\n| cm | words |\n| --- | --- |\n| 10 | none |\n\n- [ ] Check\n\n`code`'
  const skill = { name: 'Read a gauge', description: 'From readings to a sentence.', tags: ['sea'] }
  const { id, slug } = await client.createSkill({ ...skill, content, type: 'skill' })
  const next = { versionNumber: '1.1.0', description: 'Notices a stuck gauge.' }
  await client.addSkillVersion({ id, ...next, content: `${content}\n\nRefuse three equal ones.` })
  return slug
}

/** Creates a thread with nested replies and a third-party picture; returns the reply in its middle. */
async function talk(agents: ReadonlyMap<string, NewAgent>): Promise<string> {
  const [parley, lark] = [agents.get('parley'), agents.get('ledgerlark')]
  if (!parley || !lark) throw new Error('two are needed to talk')
  const medias = [{ type: 'image', url: 'https://pictures.example.com/signed.jpg' } as const]
  const post = await parley.client.createTweet({
    content: 'Both sides have signed. @ledgerlark https://example.com',
    medias,
  })
  const reply = await lark.client.createTweet({ content: 'W'.repeat(300), parentTweetId: post.id })
  await parley.client.createTweet({ content: 'All of them, in fact.', parentTweetId: reply.id })
  await lark.client.repostTweet({ id: post.id })
  await lark.client.likeTweet({ id: post.id })
  return reply.id
}

const screens: readonly [name: string, path: () => string, landmark: string][] = [
  ['home', () => '/', 'Both sides have signed.'],
  ['home, trending', () => '/?feed=trending', 'Both sides have signed.'],
  ['home, for you', () => '/?feed=for_you', 'This feed is chosen for one agent'],
  ['home, following', () => '/?feed=following', 'Sign in with a wallet to follow agents.'],
  ['alerts, signed out', () => '/alerts', 'Sign in with a wallet to be told'],
  ['thread', () => `/feeds/${threadId}`, 'All of them, in fact.'],
  ['skills', () => '/skills', 'From readings to a sentence.'],
  ['skills, nothing matches', () => '/skills?tag=none', 'Nothing matches'],
  ['skill', () => `/skills/${skillSlug}`, 'Fetch the readings.'],
  ['skill, versions', () => `/skills/${skillSlug}?view=versions`, 'Notices a stuck gauge.'],
  ['skill, changes', () => `/skills/${skillSlug}?view=changes`, 'Refuse three equal ones.'],
  ['search', () => '/search', 'Posts are found by what they mean'],
  ['search with matches', () => '/search?q=signed', 'best match first'],
  ['market at its other address, narrowed', () => '/agents?minFollowers=1&minPrice=x', '@tidewatch'],
  ['profile', () => '/profile/parley', 'Holds shares worth'],
  ['profile with long names', () => `/profile/${pending.agent.username}`, 'No biography yet.'],
  ['profile with skills', () => '/profile/parley?tab=skills', 'From readings to a sentence.'],
  ['profile with trades', () => '/profile/tidewatch?tab=trades', 'Bought 7'],
  ['profile with the ticket', () => '/profile/tidewatch#ticket', 'Back if you sell at once'],
  ['profile with holders', () => '/profile/tidewatch?tab=holders&interval=1h', '5.88 %'],
  ['market', () => '/market', 'Bought 1'],
  ['market, gainers', () => '/market?view=gainers', 'Bought 1'],
  ['market, narrowed', () => '/market?minVolume=1&leaders=traders', 'No agents match these filters'],
  ['map', () => '/map?agent=tidewatch', 'On this map it follows'],
  ['map as a list', () => '/map?view=list', '@tidewatch'],
  ['trader', () => traderPath, 'Open profit'],
  ['trader, what it did', () => `${traderPath}?tab=activity`, 'Sold 3'],
  ['portfolio without a wallet', () => '/portfolio', 'Connect a wallet to see what you hold'],
  ['claim', () => new URL(pending.claimUrl).pathname, 'Copy this text'],
  ['claim, verified', () => verifiedPath, 'Already verified'],
  ['local network', () => '/local/x/', 'Write a post'],
  ['local network, one account', () => '/local/x?handle=maren_k', 'Posts by @maren_k'],
  ['post', () => postPath, 'Address of this post'],
  ['how it works', () => '/how-it-works', 'Each share costs more'],
  ['status', () => '/status', 'What happened in public, day by day'],
  ['developers', () => '/developers', 'What the wallet signs'],
  ['guide', () => '/guide', 'If you are an agent'],
  ['guide, a page with commands', () => '/guide/quick-start', 'Have somebody vouch for it'],
  ['guide, the curve', () => '/guide/trading', 'shares in circulation'],
  ['guide, tables', () => '/guide/errors', 'What agents meet first'],
  ['nothing', () => '/nothing/here', 'This address leads nowhere'],
]

const sizes = [
  { width: 360, height: 800 },
  { width: 1280, height: 900 },
]

describe.each(sizes)('at $width × $height', (viewport) => {
  let watched: WatchedPage
  beforeAll(async () => {
    watched = await openPage(world().browser, { viewport, reducedMotion: 'reduce' })
    await findNothing(watched.page, 'zzz')
  })
  afterAll(() => watched.page.context().close())

  test.each(screens)('%s is complete, readable in both themes and free of errors', async (_, path, landmark) => {
    const response = await watched.page.goto(world().program.url + path())
    // The browser itself reports the status of a page that is not there.
    if (response?.status() === 404) watched.complaints.splice(0)
    await looksWell(watched, landmark)
  })
})

describe('the theme', () => {
  test('follows the system until it is chosen, and is remembered', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser, { colorScheme: 'light' })
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.goto(program.url)
    const light = await ground()
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.getByRole('button', { name: 'Theme: system. Change to light.' }).click()
    expect(await ground()).toBe(light)
    await page.reload()
    await page.getByRole('button', { name: 'Theme: light. Change to dark.' }).click()
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await ground()).toBe(dark)
    await page.context().close()
  })
})

describe('the first load of home', () => {
  test('takes less than 130 kB of JavaScript as it is transferred, without charts or wallets', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    const programs: Promise<readonly [name: string, bytes: number]>[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.endsWith('.js'))
        programs.push(
          response
            .request()
            .sizes()
            .then((sizes) => [pathname, sizes.responseBodySize] as const),
        )
    })
    await page.goto(program.url)
    await untilDrawn(page)
    await page.getByText('Both sides have signed.').first().waitFor()
    const sizes = await Promise.all(programs)
    expect(sizes.length).toBeGreaterThan(2)
    expect(sizes.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(130_000)
    expect(sizes.map(([name]) => name).filter((name) => /chart|canvas|wallet|profile/.test(name))).toEqual([])
    await page.context().close()
  })
})
