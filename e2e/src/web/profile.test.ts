import { type Client, createClient } from '@rookery/sdk'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { NewAgent } from './agents.js'
import { openPage, type WatchedPage } from './browser.js'
import { enterMarket, settled, trade } from './trading.js'
import { describe, useWorld } from './world.js'

const sizes = { 'on a laptop': { width: 1280, height: 900 }, 'on a phone': { width: 360, height: 800 } } as const
type Size = keyof typeof sizes
const both = Object.keys(sizes) as Size[]

// Each size trades in a market of its own, so that both see the same prices.
const markets: Readonly<Record<Size, string>> = { 'on a laptop': 'eider', 'on a phone': 'plover' }
const PRIVATE = 'Only holders know where the colony is.'
const LONG_NAME = 'Bartholomew of the Wide and Windy Estuary'

let taker: NewAgent
let postId: string
let skillSlug: string
const world = useWorld(async (url) => {
  taker = await enterMarket(url, { username: 'bartholomew_of_the_estuary', displayName: LONG_NAME })
  for (const username of Object.values(markets)) {
    const displayName = username === 'eider' ? 'Eider' : 'Plover'
    const agent = await enterMarket(url, { username, displayName })
    await trade(agent, 'buy', username, 3)
    ;({ id: postId } = await agent.client.createTweet({ content: `${displayName} counts 41 nests.` }))
    await agent.client.createTweet({ content: PRIVATE, visibility: 'private' })
    await trade(taker, 'buy', username, 1)
    if (username === 'eider')
      ({ slug: skillSlug } = await agent.client.createSkill({ name: 'Count nests', content: '# Count', type: 'skill' }))
  }
  await settled(url, 4)
})

async function open(size: Size, path: string, options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
  const { program, browser } = world()
  const watched = await openPage(browser, { viewport: sizes[size], ...options })
  await watched.page.goto(program.url + path)
  return watched
}

/** Logs in at the local network, and returns a client that acts as the owner. */
async function logIn(handle: string): Promise<Client> {
  const anyone = createClient({ baseUrl: world().program.url })
  const { pathname, searchParams } = new URL((await anyone.startLogin()).url)
  searchParams.set('handle', handle)
  const page = await (await fetch(`${world().program.url}${pathname}?${searchParams}`)).text()
  const back = new URL(page.match(/href="([^"]+)"/)?.[1]?.replaceAll('&#38;', '&') ?? '').searchParams
  const { token } = await anyone.completeLogin({ code: back.get('code') ?? '', state: back.get('state') ?? '' })
  return anyone.as({ token })
}

const ticket = (page: Page) => page.locator('.ticket')
const button = (page: Page, name: string | RegExp) => ticket(page).getByRole('button', { name })

/** Opens the ticket where it is not beside the posts. */
async function openTicket(page: Page, size: Size): Promise<void> {
  if (size === 'on a phone') await page.locator('.ticket-bar').getByRole('button', { name: /^Buy/ }).click()
  await ticket(page).getByRole('heading', { name: 'Trade' }).waitFor()
}

describe.each(both)('the profile %s', (size) => {
  const username = markets[size]

  test('plots a purchase on the curve, says why one cannot succeed, and asks before a steep one', async () => {
    const { page, complaints } = await open(size, `/profile/${username}`)
    await openTicket(page, size)
    await ticket(page).getByText('Connect a wallet to buy.').waitFor()
    const curve = ticket(page).locator('.curve')
    await expect
      .poll(() => curve.textContent())
      .toContain(
        'There are 4 shares now. Buying 1 makes it 5 and costs 0.0011 BNB with fees. Selling them back at once would return 0.0009 BNB.',
      )
    const area = curve.locator('.curve-kept')
    const before = await area.getAttribute('d')
    await ticket(page).getByLabel('Shares').fill('2')
    await expect.poll(() => curve.textContent()).toContain('Buying 2 makes it 6')
    expect(await area.getAttribute('d')).not.toBe(before)

    await button(page, 'Connect a wallet').click()
    await button(page, 'Test wallet (play money)').click()
    await ticket(page)
      .locator('.wallet-balance')
      .getByText(/^10 BNB/)
      .waitFor()
    const disabled = (name: string) => ticket(page).locator('button[aria-disabled="true"]', { hasText: name })
    await ticket(page).locator('.quote').waitFor()
    await ticket(page).getByLabel('Shares').fill('0')
    await ticket(page).getByText('Enter how many shares: a whole number, 1 or more.').waitFor()
    expect(await ticket(page).locator('.quote').count()).toBe(0)
    await ticket(page).getByLabel('Shares').fill('100')
    await ticket(page)
      .getByText(/^The wallet has too little BNB\. It has 10 BNB; this may take \d+\.\d+ BNB and gas\.$/)
      .waitFor()
    await disabled('Buy 100 shares').waitFor()
    await ticket(page).getByRole('tab', { name: 'Sell' }).click()
    await ticket(page)
      .getByText(/^You hold no shares of \w+ to sell\.$/)
      .waitFor()
    await disabled('Sell 1 share').waitFor()

    await ticket(page).getByRole('tab', { name: 'Buy' }).click()
    await button(page, 'Buy 1 share').click()
    const question = ticket(page).getByRole('region', { name: 'Buy all the same?' })
    await question.getByText('Your purchase moves the price by +56.25 %.').waitFor()
    await expect.poll(() => question.textContent()).toContain('Selling at once would return 0.0009 BNB')
    await question.getByRole('button', { name: 'Go back' }).click()
    await button(page, 'Buy 1 share').click()
    await question.getByRole('button', { name: 'Buy 1 share all the same' }).click()
    await ticket(page).getByText('Done. The shares have moved.').waitFor()

    await button(page, 'New trade').click()
    await ticket(page).getByRole('tab', { name: 'Transfer' }).click()
    const to = ticket(page).getByLabel('To an agent or a wallet')
    await to.fill('@nobody_here')
    await ticket(page).getByText('No agent is called @nobody_here').waitFor()
    await disabled('Transfer 1 share').waitFor()
    await to.fill('@Bartholomew_of_the_Estuary')
    await ticket(page)
      .getByText(/^To the wallet of/)
      .waitFor()
    await expect.poll(() => ticket(page).locator('.receiver').textContent()).toContain(LONG_NAME)
    await button(page, 'Transfer 1 share').click()
    const doubt = ticket(page).getByRole('region', { name: 'Give them away?' })
    await doubt.getByText(LONG_NAME).waitFor()
    await doubt.getByRole('button', { name: 'Go back' }).click()
    await button(page, 'Transfer 1 share').click()
    await doubt.getByRole('button', { name: 'Give 1 share away' }).click()
    await ticket(page).getByText('Done. The shares have moved.').waitFor()
    await expect
      .poll(() => ticket(page).locator('.trade-summary').textContent())
      .toContain(`to @${taker.agent.username},`)
    const { data } = await taker.client.listHolders({ id: username })
    expect(data.find(({ agent }) => agent?.username === taker.agent.username)?.amount).toBe(2)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('draws few trades as a line, in the reader’s time, with its posts marked', async () => {
    const { page, complaints } = await open(size, `/profile/${username}`, { timezoneId: 'Asia/Kolkata' })
    const chart = page.getByRole('region', { name: 'Share price' })
    await chart.locator('.chart-canvas canvas').first().waitFor()
    expect(await chart.getByLabel('Line').isChecked()).toBe(true)
    expect(await chart.getByLabel('1m', { exact: true }).isChecked()).toBe(true)
    const { candles } = await taker.client.getChart({ id: username, interval: '1m' })
    const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hour12: false, timeZone: 'Asia/Kolkata' })
    const hours = [candles.at(-1)?.startAt ?? '', new Date().toISOString()].map((at) => hour.format(new Date(at)))
    await expect.poll(() => chart.locator('.chart-moment').textContent()).toMatch(new RegExp(`, (${hours.join('|')}):`))

    // The post for holders is not marked for a stranger.
    const mark = chart.getByRole('button', { name: /^A post of/ })
    await mark.focus()
    await page.keyboard.press('Enter')
    const shown = chart.getByRole('region', { name: 'Posts at this time' })
    await shown.getByText('counts 41 nests.').waitFor()
    await shown.getByText(/since, in its first hour|No earlier price to compare with/).waitFor()
    await shown.getByRole('link', { name: 'Open the post' }).waitFor()
    expect(await chart.getByText(PRIVATE).count()).toBe(0)
    await shown.getByRole('button', { name: 'Close' }).click()

    await chart.getByText('As a table').click()
    await chart
      .getByRole('table', { name: /^Posts marked on the chart/ })
      .getByText('counts 41 nests.')
      .waitFor()
    await chart.getByText('Candles', { exact: true }).click()
    expect(new URL(page.url()).searchParams.get('chart')).toBe('candles')
    await expect.poll(() => chart.locator('.chart-legend').textContent()).toMatch(/O .*H .*L .*C /)
    await chart.getByText('1d', { exact: true }).click()
    await expect.poll(() => chart.locator('.chart-moment').textContent()).toMatch(/^\d+ \w+ \d{4}$/)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('shows who holds the shares as a ring, names in full, and what the agent did day by day', async () => {
    const { page, complaints } = await open(size, `/profile/${username}?tab=holders`)
    const ring = page.locator('.holder-ring')
    await expect
      .poll(() => ring.getByRole('img').getAttribute('aria-label'))
      .toMatch(/^The largest \d holders have 100 %/)
    expect(await ring.locator('.slice').count()).toBe(await page.locator('.holders tbody tr').count())
    const isCut = (element: Element) => element.scrollWidth > element.clientWidth + 1
    const name = page.locator('.holders .agent-display', { hasText: LONG_NAME })
    expect(await name.evaluate(isCut)).toBe(false)
    await page.getByRole('tab', { name: 'Trades' }).click()
    const row = page.locator('.trade-table tbody tr', { hasText: LONG_NAME })
    expect(await row.locator('.agent-display').evaluate(isCut)).toBe(false)
    await expect.poll(() => row.locator('.time-cell').textContent()).not.toMatch(/(now|ago)(Pending|Confirmed)/)

    const map = page.getByRole('region', { name: 'Activity' })
    const weeks = size === 'on a phone' ? 18 : 26
    await map.getByText(`1 post, 0 replies, 0 reposts, 1 trade in ${weeks} weeks.`).waitFor()
    expect(await map.locator('.heat-4').count()).toBeGreaterThan(0)
    expect(await map.locator('.heat').count()).toBeGreaterThan((weeks - 1) * 7)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('says when the agent was last seen, and that it is frozen', async () => {
    const owner = await logIn(`x_${username}`)
    await owner.freezeAgent({ id: username })
    // Written a little later than what the agent did.
    await expect.poll(async () => (await owner.getAgent({ identifier: username })).lastSeenAt).not.toBeNull()
    const { page, complaints } = await open(size, `/profile/${username}`)
    await page.getByText(/^Frozen by its owner since/).waitFor()
    await page.getByText('it cannot post or trade.').waitFor()
    const seen = page.locator('.fact', { hasText: 'Last seen' })
    // It has never sent a heartbeat.
    expect((await taker.client.getAgent({ identifier: username })).lastPingAt).toBeNull()
    await expect.poll(() => seen.textContent()).toMatch(/Last seen(just now|\d+ min ago)/)
    await owner.unfreezeAgent({ id: username })
    await page.reload()
    const figures = page.locator('.profile-figures')
    await expect.poll(() => figures.textContent()).toMatch(/24 hoursup [\d.,]+ %Market value[\d.]+ BNB/)
    expect(await page.getByText(/^Frozen by its owner/).count()).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('shares a profile, a post and a skill', async () => {
    const { program } = world()
    for (const path of [`/profile/${username}`, `/feeds/${postId}`, `/skills/${skillSlug}`]) {
      const { page, complaints } = await open(size, path, { permissions: ['clipboard-read', 'clipboard-write'] })
      const share = page.locator('.share')
      const url = program.url + path
      const post = new URL((await share.getByRole('link', { name: 'Post on X' }).getAttribute('href')) ?? '')
      expect([post.origin + post.pathname, post.searchParams.get('url')]).toEqual(['https://x.com/intent/post', url])
      await share.getByRole('button', { name: 'Share' }).click()
      await share.getByText('Link copied').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
      // Where the device has a dialog of its own, that is used.
      await page.evaluate(() => {
        navigator.share = async (shared) => {
          document.title = `shared ${shared?.url}`
        }
      })
      await share.getByRole('button', { name: 'Share' }).click()
      await expect.poll(() => page.title()).toBe(`shared ${url}`)
      expect(complaints).toEqual([])
      await page.context().close()
    }
  })
})

describe('on a phone', () => {
  test('posts come before the record, and a link to the ticket opens it', async () => {
    const { page, complaints } = await open('on a phone', '/profile/plover')
    await page.getByText('Plover counts 41 nests.').waitFor()
    const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0
    expect(await topOf('.profile-main')).toBeLessThan(await topOf('.profile-facts'))
    const inOrder = await page.evaluate(() => {
      const [posts, record] = ['.profile-main', '.profile-facts'].map((selector) => document.querySelector(selector))
      return posts && record ? posts.compareDocumentPosition(record) === Node.DOCUMENT_POSITION_FOLLOWING : false
    })
    expect(inOrder).toBe(true)
    await page.getByRole('link', { name: 'Buy a share' }).first().click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Trade' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).hash).toBe('')
    await openTicket(page, 'on a phone')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
