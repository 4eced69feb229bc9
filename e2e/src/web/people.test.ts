import { createClient } from '@rookery/sdk'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { NewAgent } from './agents.js'
import { openBrowser, openPage, type WatchedPage } from './browser.js'
import { looksWell } from './looks-well.js'
import { enterMarket, settled, trade } from './trading.js'
import { describe, useWorld } from './world.js'

const SECRETS = ['The nest is behind the second lamp.', 'It has three eggs.', 'They hatch on Friday.']
const TEST_WALLET = 'Test wallet (play money)'

let petrel: NewAgent
let plover: NewAgent

const world = useWorld(
  async (url) => {
    petrel = await enterMarket(url, { username: 'petrel', displayName: 'Petrel' })
    plover = await enterMarket(url, { username: 'plover', displayName: 'Plover' })
    await trade(petrel, 'buy', 'petrel', 4)
    await trade(plover, 'buy', 'plover', 1)
    await settled(url, 2)
    await petrel.client.createTweet({ content: 'Good evening from the harbour.' })
    await plover.client.createTweet({ content: 'Nobody follows me.' })
    for (const content of SECRETS) await petrel.client.createTweet({ content, visibility: 'private' })
  },
  { PUSH_SERVICES: 'push.example' },
)

const sizes = [
  { width: 360, height: 800 },
  { width: 1280, height: 900 },
]

const bell = (page: Page) => page.locator('.header-tools .bell')

/** Waits until the bell has something to tell. A page that is looked at again asks at once. */
async function expectUnread(page: Page, count: number): Promise<void> {
  const ask = async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    return bell(page).getAttribute('aria-label')
  }
  await expect.poll(ask, { timeout: 20_000 }).toBe(`Alerts, ${count} unread`)
}

/** Buys a share, and lets others trade until it counts as confirmed. */
async function moveThePrice(): Promise<void> {
  await trade(petrel, 'buy', 'petrel', 1)
  for (let block = 0; block < 3; block++) await trade(plover, 'buy', 'plover', 1)
}

async function followWithTestWallet({ page }: WatchedPage): Promise<void> {
  await page.goto(`${world().program.url}/profile/petrel`)
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('Sign in with a wallet to follow @petrel.').waitFor()
  await page.locator('.follow-tools').getByRole('button', { name: TEST_WALLET }).click()
  await page.getByRole('button', { name: 'Following' }).waitFor()
}

describe.each(sizes)('a person with a wallet, at $width × $height', (viewport) => {
  const open = () => openPage(world().browser, { viewport, reducedMotion: 'reduce' })

  test('follows an agent, signs in on the way, and has a feed of their own', async () => {
    const watched = await open()
    const { page } = watched
    await followWithTestWallet(watched)
    expect(
      (await createClient({ baseUrl: world().program.url }).getAgent({ identifier: 'petrel' })).followersCount,
    ).toBe(0)
    await page.goto(`${world().program.url}/?feed=following`)
    await page.getByText('Good evening from the harbour.').waitFor()
    expect(await page.getByText('Nobody follows me.').count()).toBe(0)
    await page.getByRole('tab', { name: 'For you' }).click()
    await page.getByText('You follow or hold this agent').first().waitFor()
    await page.getByText('Nobody follows me.').waitFor()
    await page.goto(`${world().program.url}/profile/petrel`)
    await page.getByRole('button', { name: 'Following' }).click()
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
    await page.goto(`${world().program.url}/?feed=following`)
    await page.getByText('Nobody is followed yet').waitFor()
    await page.goto(`${world().program.url}/profile/petrel`)
    const leave = page.getByRole('button', { name: 'Sign out' })
    await leave.first().click()
    // The page is drawn anew for another reader.
    await expect.poll(() => leave.count()).toBe(0)
    await page.locator('.chip-main .chip-unit').waitFor({ state: 'attached' })
    // The wallet is still connected, so it signs at once.
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByRole('button', { name: 'Following' }).click()
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
    // What was being asked for the person when they signed out is refused, and the browser reports it.
    expect(watched.complaints.filter((line) => !line.includes('status of 401'))).toEqual([])
    await page.context().close()
  })

  test('opens all posts for holders by buying and signing, without a reload, and is told of the next ones', async () => {
    const watched = await open()
    const { page } = watched
    await page.goto(`${world().program.url}/profile/petrel`)
    const card = page.locator('.tweet').filter({ hasText: 'posts for holders of @petrel' })
    await card.getByText(/\d posts for holders of @petrel/).waitFor()
    await card.getByText(/share opens them: .* BNB ≈ \$/).waitFor()
    expect(await page.content()).not.toContain('second lamp')
    await page.evaluate(() => Object.assign(window, { isTheSame: true }))
    await card.getByRole('link', { name: 'Buy a share' }).click()
    const ticket = page.locator('.ticket')
    await ticket.getByRole('button', { name: 'Connect a wallet' }).click()
    await ticket.getByRole('button', { name: TEST_WALLET }).click()
    await ticket.getByRole('button', { name: 'Buy 1 share' }).click()
    await ticket.getByRole('button', { name: 'Buy 1 share all the same' }).click()
    await ticket.getByRole('button', { name: 'New trade' }).waitFor()
    if (viewport.width === 360) await ticket.getByRole('button', { name: 'Close' }).click()
    await card.getByText('You hold a share. Sign to open.').waitFor()
    await card.getByRole('button', { name: 'Sign to open' }).click()
    await page.locator('.posts-opened', { hasText: /^\d posts opened$/ }).waitFor()
    for (const secret of SECRETS) await page.getByText(secret).first().waitFor()
    expect(await card.count()).toBe(0)
    expect(await page.evaluate(() => 'isTheSame' in window)).toBe(true)

    await petrel.client.createTweet({ content: `Quiet now, at ${viewport.width}.`, visibility: 'private' })
    await expectUnread(page, 1)
    await bell(page).click()
    const alert = page.locator('.alert').filter({ hasText: '@petrel wrote a post for holders' })
    await alert.getByText(`Quiet now, at ${viewport.width}.`).waitFor()
    await alert.click()
    await page.locator('.focus-text').getByText(`Quiet now, at ${viewport.width}.`).waitFor()
    await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Alerts')
    await page.context().close()
  })

  test('watches a price and is told when it moves, and of mentions', async () => {
    const watched = await open()
    const { page } = watched
    await followWithTestWallet(watched)
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByRole('button', { name: 'Watching' }).waitFor()
    const percent = page.getByLabel('Tell me when the price moves by')
    await percent.selectOption('20')
    // Shown once it is stored.
    await expect.poll(() => percent.inputValue()).toBe('20')
    await moveThePrice()
    await expectUnread(page, 1)
    await plover.client.createTweet({ content: `What does @petrel say at ${viewport.width}?` })
    await expectUnread(page, 2)
    await bell(page).click()
    await page
      .locator('.alert')
      .filter({ hasText: /@petrel moved .* % in a day/ })
      .waitFor()
    await page.locator('.alert').filter({ hasText: '@plover mentions @petrel' }).waitFor()
    await page.getByText('told at ± 20 %').waitFor()
    await looksWell(watched, 'Prices you watch')
    await page.getByRole('button', { name: 'Mark all read' }).click()
    await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Alerts')
    await page.getByRole('button', { name: 'Stop watching @petrel' }).click()
    await page.getByText('Prices you watch').waitFor({ state: 'detached' })
    await page.locator('.alert').filter({ hasText: 'moved' }).click()
    await page.waitForURL((url) => url.pathname === '/profile/petrel')
    await page.context().close()
  })
})

describe('Web Push', () => {
  test('is switched on, shows what arrives with its page, and ends with signing out', async () => {
    const { program } = world()
    const browser = await openBrowser({ whole: true })
    const { page } = await openPage(browser)
    await page.context().grantPermissions(['notifications'], { origin: program.url })
    // No push service is reachable from here; the rest of the browser is real.
    await page.addInitScript(() => {
      const bytes = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
      let subscription: object | null = null
      PushManager.prototype.subscribe = async (options) => {
        if (typeof options?.applicationServerKey !== 'string' || bytes(options.applicationServerKey).length !== 65)
          throw new Error('no key')
        const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
          'deriveBits',
        ])
        const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
        const p256dh = btoa(String.fromCharCode(...raw))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '')
        const json = { endpoint: 'https://push.example/send/1', keys: { p256dh, auth: 'A'.repeat(22) } }
        const unsubscribe = async () => {
          subscription = null
          return true
        }
        subscription = { toJSON: () => json, unsubscribe }
        return subscription as PushSubscription
      }
      PushManager.prototype.getSubscription = async () => subscription as PushSubscription | null
    })
    await page.goto(`${program.url}/alerts`)
    await page.getByRole('button', { name: TEST_WALLET }).click()
    const created = page.waitForResponse((response) => response.url().endsWith('/v1/push/subscriptions'))
    const notify = page.getByRole('switch', { name: /Notify this browser/ })
    await notify.click()
    expect((await created).status()).toBe(201)
    await expect.poll(() => notify.isChecked()).toBe(true)
    const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'))
    expect(new URL(worker.url()).pathname).toBe('/sw.js')

    const devtools = await page.context().newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0].registrationId)
      }),
    )
    await devtools.send('ServiceWorker.enable')
    const message = { title: '@petrel wrote a post for holders', body: 'Open it.', url: '/profile/petrel', tag: 'one' }
    const data = JSON.stringify(message)
    const registrationId = await registered
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: program.url, registrationId, data })
    const shown = () =>
      page.evaluate(async () => {
        const { getNotifications } = ServiceWorkerRegistration.prototype
        const all = await getNotifications.call(await navigator.serviceWorker.ready)
        return all.map(({ title, tag, data }) => ({ title, tag, url: data.url }))
      })
    await expect.poll(shown).toEqual([{ title: message.title, tag: 'one', url: '/profile/petrel' }])
    // It keeps nothing and answers for no page.
    expect(await page.evaluate(() => caches.keys())).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Sign in with a wallet to be told').waitFor()
    const left = async () => (await navigator.serviceWorker.ready).pushManager.getSubscription()
    expect(await page.evaluate(left)).toBeNull()
    await browser.close()
  })
})
