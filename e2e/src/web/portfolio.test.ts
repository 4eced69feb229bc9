import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { NewAgent } from './agents.js'
import { openPage } from './browser.js'
import { looksWell } from './looks-well.js'
import { enterMarket, settled, trade } from './trading.js'
import { describe, useWorld } from './world.js'

// Enough shares that the price moves by less than a tenth with one more.
const LAUNCHED = 40

let eider: NewAgent
let teal: NewAgent
const world = useWorld(async (url) => {
  eider = await enterMarket(url, { username: 'eider', displayName: 'Eider' })
  teal = await enterMarket(url, { username: 'teal', displayName: 'Teal' })
  await trade(eider, 'buy', 'eider', LAUNCHED)
  await trade(teal, 'buy', 'eider', 1)
  await settled(url, 2)
})

const chip = (page: Page) => page.locator('.header .chip')
const balance = (page: Page) => chip(page).getByRole('link', { name: /^Your portfolio, balance/ })
const panel = (page: Page) => page.getByRole('region', { name: 'Your wallet' })
const figure = (page: Page, name: string) => page.locator('.portfolio-figure', { hasText: name }).locator('dd')

async function connectTestWallet(page: Page): Promise<void> {
  await chip(page).getByRole('button', { name: 'Connect' }).click()
  await panel(page).getByRole('button', { name: 'Test wallet (play money)' }).click()
  await panel(page).getByText('Test wallet, play money.').waitFor()
}

async function newTab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(world().program.url + path)
  return page
}

describe.each([
  { width: 360, height: 800 },
  { width: 1280, height: 900 },
])('at $width × $height', (viewport) => {
  const open = () => openPage(world().browser, { viewport, reducedMotion: 'reduce' })

  test('a person who buys a share sees the balance fall, and in the portfolio what became of it', async () => {
    const watched = await open()
    const { page, complaints } = watched
    await page.goto(`${world().program.url}/portfolio`)
    await looksWell(watched, 'Connect a wallet to see what you hold')
    await connectTestWallet(page)
    await looksWell(watched, 'You hold no shares yet')
    await page.keyboard.press('Escape')
    await expect.poll(() => panel(page).count()).toBe(0)
    await balance(page).getByText('10', { exact: true }).waitFor()

    await page.goto(`${world().program.url}/profile/eider`)
    const ticket = page.locator('#ticket')
    // On a phone the ticket is a sheet that a button opens.
    if (viewport.width < 1000) await page.locator('.ticket-bar').getByRole('button').click()
    await ticket.getByRole('button', { name: 'Buy 1 share' }).click()
    await ticket.getByText('Done. The shares have moved.').waitFor()
    if (viewport.width < 1000) await ticket.getByRole('button', { name: 'Close' }).click()
    await balance(page).getByText(/^9\.8/).waitFor()
    await page.getByRole('tab', { name: 'Trades' }).click()
    await page.locator('.trade-table tbody tr').first().getByText('you', { exact: true }).waitFor()
    await page.getByRole('tab', { name: /^Holders/ }).click()
    const holders = page.locator('.holders tbody tr')
    await expect.poll(() => holders.filter({ has: page.locator('.you') }).count()).toBe(1)

    await balance(page).click()
    await page.waitForURL((url) => url.pathname === '/portfolio')
    const position = page.locator('.holdings tbody tr', { hasText: '@eider' })
    await position.waitFor()
    const value = await figure(page, 'Value').locator('.money').textContent()
    expect(await position.locator('td .money').allTextContents()).toContain(value)
    // Fees of both sides are a loss at first.
    await expect.poll(() => figure(page, 'Profit').first().textContent()).toContain('−')
    await page.locator('.value-drawing svg').waitFor()
    expect(await page.locator('.value-line').getAttribute('d')).toMatch(/^M0 \d+/)
    await page.getByText('As a table').click()
    await page.getByRole('region', { name: 'Values in figures' }).getByRole('row').nth(1).waitFor()
    await page.getByText('24 h', { exact: true }).click()
    await page.waitForURL((url) => url.searchParams.get('range') === '24h')

    // What others buy moves the value, without a reload.
    await page.locator('.value-chart').getByText('Live', { exact: true }).waitFor()
    await trade(teal, 'buy', 'eider', 3)
    await expect.poll(() => figure(page, 'Value').locator('.money').textContent()).not.toBe(value)
    await expect.poll(() => figure(page, 'Profit').first().textContent()).toContain('+')
    await looksWell(watched, 'Value over time')
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.locator('.activities').getByText('Bought 1').waitFor()
    await page.goto(`${world().program.url}/market`)
    await page.locator('.tape-row', { hasText: 'Bought 1' }).first().getByText('you', { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('the test wallet survives a reload and a new tab, and all tabs leave it together', async () => {
    const { page } = await open()
    const programs: string[] = []
    page.on('request', (request) => programs.push(new URL(request.url()).pathname))
    await page.goto(world().program.url)
    await chip(page).getByRole('button', { name: 'Connect' }).waitFor()
    expect(programs.filter((name) => /wallet|chip/.test(name))).toEqual([])
    await connectTestWallet(page)
    const address = await panel(page).locator('code').getAttribute('title')

    await page.reload()
    await balance(page).getByText('10', { exact: true }).waitFor()
    const tab = await newTab(page.context(), '/market')
    await balance(tab).getByText('10', { exact: true }).waitFor()
    await tab.getByRole('button', { name: 'Your wallet' }).click()
    expect(await panel(tab).locator('code').getAttribute('title')).toBe(address)

    await panel(tab).getByRole('button', { name: 'Sign in' }).click()
    await panel(tab).getByText('Signed in: you read what its shares open.').waitFor()
    await panel(tab).getByRole('button', { name: 'Sign out', exact: true }).click()
    // The page is drawn anew for another reader.
    await expect.poll(() => panel(tab).count()).toBe(0)
    await tab.getByRole('button', { name: 'Your wallet' }).click()
    await panel(tab).getByRole('button', { name: 'Disconnect', exact: true }).waitFor()
    await panel(tab).getByRole('button', { name: 'Sign in' }).click()
    const ended = tab.waitForResponse((response) => response.request().method() === 'DELETE')
    await panel(tab).getByRole('button', { name: 'Disconnect and sign out' }).click()
    expect((await ended).url()).toContain('/v1/auth/session')
    for (const one of [tab, page]) await chip(one).getByRole('button', { name: 'Connect' }).waitFor()
    await page.reload()
    await chip(page).getByRole('button', { name: 'Connect' }).waitFor()
    // Its key is kept: connecting again gives the same wallet, in both tabs.
    await connectTestWallet(page)
    expect(await panel(page).locator('code').getAttribute('title')).toBe(address)
    await balance(tab).getByText('10', { exact: true }).waitFor()
    await page.context().close()
  })
})
