import { createClient } from '@rookery/sdk'
import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type NewAgent, registerAgent, verifyAgent } from './agents.js'
import { openPage, type WatchedPage } from './browser.js'
import { installWallet } from './browser-wallet.js'
import { looksWell } from './looks-well.js'
import { enterMarket, type Signer, settled, trade } from './trading.js'
import { describe, useWorld } from './world.js'

const CHAIN = 31_337
const SECRET = 'The eider nests under the third pontoon.'
const SKILL_SECRET = 'Count the eiders before sunrise.'
const OFFER = 'Sign in with the wallet that holds a share'
const OPEN = 'Sign to open'

let eider: NewAgent
let holder: Signer
let stranger: Signer
let postId: string
let skillSlug: string

const world = useWorld(async (url) => {
  eider = await enterMarket(url, { username: 'eider', displayName: 'Eider' })
  await trade(eider, 'buy', 'eider', 2)
  holder = await openWallet(url)
  stranger = await openWallet(url)
  await trade(holder, 'buy', 'eider', 1)
  await settled(url, 2)
  await eider.client.createTweet({ content: 'Good morning, everyone.' })
  postId = (await eider.client.createTweet({ content: SECRET, visibility: 'private' })).id
  const skill = { name: 'Count eiders', content: SKILL_SECRET, type: 'skill', visibility: 'private' } as const
  skillSlug = (await eider.client.createSkill(skill)).slug
})

/** A wallet with test money and without an agent. */
async function openWallet(url: string, key = generatePrivateKey()): Promise<Signer> {
  const wallet = privateKeyToAccount(key)
  const client = createClient({ baseUrl: url })
  await client.requestFaucet({ address: wallet.address })
  return { client, wallet }
}

const lockedCard = (page: Page) => page.locator('.tweet, .focus').filter({ hasText: 'For holders of @eider' })

/** Opens a page with a browser wallet, and collects every answer that the service gives it. */
async function open(path: string, signer?: Signer) {
  const { program, browser } = world()
  const watched = await openPage(browser)
  const answers: Promise<string>[] = []
  watched.page.on('response', (response) => {
    const isStream = response.headers()['content-type']?.includes('event-stream')
    if (!isStream) answers.push(response.text().catch(() => ''))
  })
  const wallet = signer && (await installWallet(watched.page, signer, { name: 'Rabby', chainId: CHAIN }))
  await watched.page.goto(program.url + path)
  return { ...watched, wallet, received: async () => (await Promise.all(answers)).join('\n') }
}

async function signIn(page: Page, name = 'Rabby'): Promise<void> {
  const card = lockedCard(page).first()
  await card.getByRole('button', { name: OFFER }).click()
  await card.getByRole('button', { name }).click()
}

const places = () => ['/', '/profile/eider', `/feeds/${postId}`]

describe('a private post', () => {
  test('shows a visitor its author, its time and what opens it, and no word of it anywhere', async () => {
    for (const path of places()) {
      const { page, received } = await open(path)
      const card = lockedCard(page)
      await card.getByRole('button', { name: OFFER }).waitFor()
      await card.getByText('1 share opens it: 0.0005625 BNB').waitFor()
      await card.getByText('Eider', { exact: true }).first().waitFor()
      expect(await card.locator('.tweet-counts, .focus-counts').count()).toBe(0)
      expect(await card.locator('time').count()).toBe(path.startsWith('/feeds') ? 0 : 1)
      expect(await page.content()).not.toContain('pontoon')
      expect(await received()).not.toContain('pontoon')
      await card.getByRole('link', { name: 'Buy a share' }).click()
      await page.waitForURL((url) => url.pathname === '/profile/eider')
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('ticket')
      await page.context().close()
    }
  })

  test('opens for a wallet that holds a share, stays open after a reload, and is locked after signing out', async () => {
    const { page, wallet, complaints } = await open('/', holder)
    await signIn(page)
    await page.getByText(SECRET).waitFor()
    await page.getByText('Signed in with').waitFor()
    expect(wallet?.calls.filter((method) => method === 'personal_sign')).toHaveLength(1)
    expect(await lockedCard(page).count()).toBe(0)
    const kept = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]))
    expect(await kept()).not.toMatch(/eyJ|rookery_session|Bearer/)

    await page.reload()
    await page.getByText(SECRET).waitFor()
    await page.locator('.tweet-time').first().click()
    await page.locator('.focus-text').getByText(SECRET).waitFor()
    await page.goto(`${world().program.url}/profile/eider`)
    await page.getByText(SECRET).waitFor()
    await page.getByRole('tab', { name: 'Skills' }).click()
    await page.getByRole('link', { name: 'Count eiders' }).click()
    await page.getByText(SKILL_SECRET).waitFor()

    const tab = await page.context().newPage()
    for (const one of [tab, page]) {
      await one.goto(world().program.url)
      await one.getByText(SECRET).waitFor()
    }
    await page.getByRole('button', { name: 'Sign out' }).click()
    await lockedCard(tab).getByRole('button', { name: OFFER }).waitFor()
    await lockedCard(page).getByText('You hold a share. Sign to open.').waitFor()
    expect(await tab.content()).not.toContain('pontoon')
    expect(await page.content()).not.toContain('pontoon')
    await lockedCard(page).locator('.tweet-time').click()
    await page.locator('.focus').getByRole('button', { name: OPEN }).waitFor()
    expect(await page.content()).not.toContain('pontoon')
    await page.goto(world().program.url)
    await lockedCard(page).getByRole('button', { name: OPEN }).waitFor()
    // The browser itself reports the refusals: of the post, and of a tab that has not yet heard of the signing out.
    expect(complaints.filter((line) => !/40[13]/.test(line))).toEqual([])
    await page.context().close()
  })

  test('opens in place on its own page', async () => {
    const { page } = await open(`/feeds/${postId}`, holder)
    await signIn(page)
    await page.locator('.focus-text').getByText(SECRET).waitFor()
    await page.context().close()
  })

  test('arrives live for a holder who has signed in', async () => {
    const { page } = await open('/', holder)
    // What is sent before the stream of the signed-in reader opens does not arrive.
    await Promise.all([
      page.waitForResponse(
        (response) => response.url().includes('/v1/events') && 'authorization' in response.request().headers(),
      ),
      signIn(page),
    ])
    await page.getByText(SECRET).waitFor()
    // From now on the page learns nothing by asking.
    await page.route('**/v1/tweets?*', (route) => route.abort())
    const content = 'Two of them have hatched.'
    await eider.client.createTweet({ content, visibility: 'private' })
    await page.getByRole('button', { name: '1 new post' }).click()
    await page.getByText(content).waitFor()
    await page.context().close()
  })

  test('says to a wallet without shares that it holds none, and opens once it does', async () => {
    const { page } = await open('/profile/eider', stranger)
    await signIn(page)
    const card = lockedCard(page).first()
    await card.getByText('This wallet holds no share of @eider.').waitFor()
    await card.getByRole('button', { name: 'Sign in with another wallet' }).waitFor()
    expect(await page.content()).not.toContain('pontoon')
    await page.reload()
    await card.getByText('This wallet holds no share of @eider.').waitFor()
    // Until it listens, the page would miss the trade.
    await page.locator('.live-mark-on').waitFor()
    await trade(stranger, 'buy', 'eider', 1)
    await page.getByText(SECRET).waitFor()
    await trade(stranger, 'sell', 'eider', 1)
    await card.getByText('This wallet holds no share of @eider.').waitFor()
    await expect.poll(() => page.content()).not.toContain('pontoon')
    await page.context().close()
  })

  test('stays locked when the wallet refuses to sign, and says why', async () => {
    const { page, wallet } = await open('/', holder)
    const card = lockedCard(page).first()
    await card.getByRole('button', { name: OFFER }).click()
    wallet?.rejectNext()
    await card.getByRole('button', { name: 'Rabby' }).click()
    await card.getByText('You declined it in the wallet.').waitFor()
    await card.getByRole('button', { name: 'Rabby' }).click()
    await page.getByText(SECRET).waitFor()
    await page.context().close()
  })

  test('opens for the test wallet', async () => {
    const { program, browser } = world()
    const key = generatePrivateKey()
    const tester = await openWallet(program.url, key)
    const trades = (await tester.client.listTrades({ limit: 1 })).meta.total
    await trade(tester, 'buy', 'eider', 1)
    await settled(program.url, trades + 1)
    const { page } = await openPage(browser)
    await page.addInitScript((key) => localStorage.setItem('test-wallet', key), key)
    await page.goto(program.url)
    await lockedCard(page).getByRole('button', { name: OPEN }).click()
    await page.getByText(SECRET).waitFor()
    await page.context().close()
  })
})

describe('a private skill', () => {
  test('shows a visitor what opens it, and opens for a wallet that holds a share', async () => {
    const { page, received } = await open(`/skills/${skillSlug}`, holder)
    const locked = page.locator('.locked')
    await locked.getByText('For holders of @eider').waitFor()
    expect(await page.content()).not.toContain('sunrise')
    expect(await received()).not.toContain('sunrise')
    await locked.getByRole('button', { name: OFFER }).click()
    await locked.getByRole('button', { name: 'Rabby' }).click()
    await page.getByText(SKILL_SECRET).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await locked.waitFor()
    expect(await page.content()).not.toContain('sunrise')
    await page.context().close()
  })
})

describe('an owner', () => {
  const logIn = async (page: Page, handle: string) => {
    await page.goto(`${world().program.url}/owner`)
    await page.getByRole('button', { name: 'Log in with the local network' }).click()
    await page.getByLabel('Handle').fill(handle)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('Logged in as').waitFor()
  }

  test('reads what their agent wrote, and stays logged in when signing in with a wallet', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await logIn(page, 'x_eider')
    await page.goto(program.url)
    await page.getByText(SECRET).waitFor()
    await page.context().close()

    const other = await registerAgent(program.url, { username: 'gull' })
    await verifyAgent(other, 'x_gull')
    const second = await open('/', holder)
    await logIn(second.page, 'x_gull')
    await second.page.goto(program.url)
    await lockedCard(second.page).first().getByText('The wallet of your agent holds no share of @eider.').waitFor()
    await signIn(second.page)
    await second.page.getByText(SECRET).waitFor()
    await second.page.goto(`${program.url}/owner`)
    await second.page.getByText('Logged in as').waitFor()
    await second.page.getByText('Signed in with').waitFor()
    await second.page.getByRole('button', { name: 'Log out' }).click()
    await second.page.getByRole('button', { name: 'Log in with the local network' }).waitFor()
    await second.page.goto(program.url)
    await lockedCard(second.page).first().waitFor()
    await second.page.context().close()
  })

  test('is not logged in by a wallet alone', async () => {
    const { page } = await open('/', holder)
    await signIn(page)
    await page.getByText(SECRET).waitFor()
    await page.goto(`${world().program.url}/owner`)
    await page.getByRole('button', { name: 'Log in with the local network' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => page.getByText('Signed in with').count()).toBe(0)
    await page.context().close()
  })
})

describe.each([
  { width: 360, height: 800 },
  { width: 1280, height: 900 },
])('at $width × $height', (viewport) => {
  test('a locked post is whole, readable and without barriers, light and dark', async () => {
    const watched: WatchedPage = await openPage(world().browser, { viewport, reducedMotion: 'reduce' })
    const { page } = watched
    await installWallet(page, stranger, { name: 'Rabby', chainId: CHAIN })
    for (const path of ['/', '/profile/eider', `/skills/${skillSlug}`]) {
      await page.goto(world().program.url + path)
      await looksWell(watched, 'For holders of @eider')
    }
    await page.goto(world().program.url)
    await lockedCard(page).first().getByRole('button', { name: OFFER }).click()
    await looksWell(watched, 'Choose the wallet')
    await lockedCard(page).first().getByRole('button', { name: 'Rabby' }).click()
    // The pointer must not rest on a name, which would show its card.
    await page.mouse.move(0, 0)
    await looksWell(watched, 'This wallet holds no share of @eider.')
    await page.context().close()
  })
})
