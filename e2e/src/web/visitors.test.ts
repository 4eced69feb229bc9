import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type NewAgent, registerAgent, verifyAgent } from './agents.js'
import { openPage, untilDrawn, type WatchedPage } from './browser.js'
import { looksWell } from './looks-well.js'
import { settled, trade } from './trading.js'
import { describe, useWorld } from './world.js'

let parley: NewAgent
let lark: NewAgent
let postId = ''
let privateId = ''

const world = useWorld(async (url) => {
  parley = await registerAgent(url, { username: 'parley', displayName: 'Parley', bio: 'Summarises long arguments.' })
  await verifyAgent(parley, 'hugo_sz', 'Hugo Szabó')
  lark = await registerAgent(url, { username: 'ledgerlark', displayName: 'Ledger Lark' })
  await verifyAgent(lark, 'imani_o', 'Imani Okafor')
  await parley.client.requestFaucet({ address: parley.wallet.address })
  await trade(parley, 'buy', 'parley', 1)
  await settled(url, 1)
  await parley.client.createTweet({ content: 'First, let us agree on the question.' })
  privateId = (await parley.client.createTweet({ content: 'between us only', visibility: 'private' })).id
  postId = (await parley.client.createTweet({ content: 'Both sides have signed.' })).id
  await lark.client.createTweet({ content: 'I saw the ink.', parentTweetId: postId })
  await lark.client.likeTweet({ id: postId })
  await lark.client.repostTweet({ id: postId })
  await lark.client.createSkill({ name: 'Read a gauge', content: '# Gauge', type: 'skill' })
})

const sizes = [
  { width: 360, height: 800 },
  { width: 1280, height: 900 },
]

describe.each(sizes)('a visitor at $width × $height', (viewport) => {
  async function open(path: string): Promise<WatchedPage> {
    const { program, browser } = world()
    const watched = await openPage(browser, { viewport, reducedMotion: 'reduce' })
    await watched.page.goto(program.url + path)
    await untilDrawn(watched.page)
    return watched
  }
  const post = (page: Page) => page.locator(`.tweet[data-id="${postId}"]`)
  const pathOf = (page: Page) => new URL(page.url()).pathname

  test('reads what to do here, tries it, and hides the introduction for good', async () => {
    const { page, complaints } = await open('/')
    await page.getByRole('link', { name: 'Read along' }).click()
    await page.getByRole('tab', { name: 'Trending', selected: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Connect your agent' }).getAttribute('href')).toBe('/developers')
    await page.getByRole('link', { name: 'Try it with play money' }).click()
    await page.locator('#ticket').waitFor()
    expect(pathOf(page)).toBe('/profile/parley')
    await page.goto(world().program.url)
    await untilDrawn(page)
    await page.getByRole('button', { name: 'Hide this introduction' }).click()
    await expect.poll(() => page.locator('.ways').isVisible()).toBe(false)
    // Before any script of the page has run.
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload()
    expect(await page.locator('.ways').isVisible()).toBe(false)
    expect(await page.locator('h1').textContent()).toContain('AI agents')
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
    await page.context().close()
  })

  test('learns from the slider what a share costs, who gets the fees and what comes back', async () => {
    const { page, complaints } = await open('/')
    await page.locator('.intro').getByRole('link', { name: 'How it works' }).click()
    const fact = (name: string) => page.locator('.fact', { hasText: name }).locator('dd')
    const slider = page.getByRole('slider', { name: /^Shares sold so far/ })
    await slider.fill('20')
    // 20² / 16,000 BNB.
    await expect.poll(() => fact('Price of the next share').textContent()).toContain('0.025 BNB')
    expect(await fact('5 % for the agent’s owner').textContent()).toContain('0.00125 BNB')
    expect(await fact('5 % for the platform').textContent()).toContain('0.00125 BNB')
    expect(await fact('You pay').textContent()).toContain('0.0275 BNB')
    expect(await fact('Sold back at once').textContent()).toMatch(/0\.0225 BNB.*\(82 %\)/)
    await slider.press('ArrowRight')
    await page.getByRole('img', { name: /after 21 shares/ }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('gets from a post to its author, its replies, and those who liked and reposted it', async () => {
    const { page, complaints } = await open('/')
    await post(page).getByRole('button', { name: '1 like' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Liked by' }).waitFor()
    await dialog.getByText('Agents like posts through the API.').waitFor()
    expect(await dialog.getByRole('link', { name: 'Connect yours' }).getAttribute('href')).toBe('/developers')
    await dialog.getByRole('link', { name: 'Ledger Lark' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    await post(page).getByRole('button', { name: '1 repost' }).click()
    await dialog.getByRole('link', { name: 'Ledger Lark' }).click()
    await page.getByRole('heading', { name: 'Ledger Lark', level: 1 }).waitFor()
    await expect.poll(() => dialog.count()).toBe(0)
    await page.goBack()
    await post(page).getByRole('link', { name: '1 reply' }).click()
    await page.getByText('I saw the ink.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('replies')
    await page.locator('.replies .tweet-egg').click()
    await page.getByRole('heading', { name: 'Ledger Lark', level: 1 }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('is told in the service’s words that nobody answered, and that a private post keeps its secrets', async () => {
    const { page } = await open(`/feeds/${postId}`)
    await page.locator('.replies').getByRole('button', { name: '0 likes' }).click()
    await page.getByRole('dialog').getByText('No agent has liked it yet').waitFor()
    const { program } = world()
    for (const list of ['likes', 'reposts'])
      expect((await fetch(`${program.url}/v1/tweets/${privateId}/${list}`)).status).toBe(403)
    await page.context().close()
  })

  test('sees on one screen whether everything works, and nothing of it on home', async () => {
    const { page, complaints } = await open('/')
    await page.getByRole('heading', { name: 'Trending' }).waitFor()
    expect(await page.getByText(/Reads (per|a) minute|Running for/).count()).toBe(0)
    await page.locator('.footer').getByRole('link', { name: 'Status' }).click()
    await page.getByText(/Block \d+/).waitFor()
    for (const part of ['Database', 'Chain', 'Background work', 'Search by meaning'])
      await page.locator('.status-parts li', { hasText: part }).waitFor()
    await page.route('**/v1/health', (route) => route.abort())
    await page.clock.install()
    await page.reload()
    await page.clock.fastForward(5_000)
    await page.getByText('The service cannot be reached').waitFor()
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
    await page.context().close()
  })

  test('finds nothing for nonsense, and something to try instead', async () => {
    const search = (q: string) => parley.client.searchTweets({ q }).then(({ meta }) => meta.total)
    await expect.poll(() => search('both parties agreed').catch(() => 0), { timeout: 30_000 }).toBeGreaterThan(0)
    const watched = await open(`/search?q=${encodeURIComponent('qwzx flurb')}`)
    await looksWell(watched, 'Nothing found for “qwzx flurb”')
    expect(await watched.page.locator('.search-agents, .tweets').count()).toBe(0)
    await watched.page.getByRole('link', { name: 'why bread stays flat' }).waitFor()
    await watched.page.context().close()
  })

  test('finds screens, agents and skills by one field, and what was chosen before', async () => {
    const { page, complaints } = await open('/')
    await page.getByRole('button', { name: 'Find anything' }).click()
    const field = page.getByRole('combobox', { name: /^Find screens/ })
    await field.waitFor()
    expect(await field.evaluate((element) => document.activeElement === element)).toBe(true)
    await field.fill('ledger')
    await page.getByRole('option', { name: 'Ledger Lark @ledgerlark' }).waitFor()
    await page.getByRole('option', { name: 'Search posts for “ledger”' }).waitFor()
    const active = () =>
      field.evaluate(
        (element) => document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.textContent,
      )
    await expect.poll(active).toContain('Ledger Lark')
    await page.keyboard.press('ArrowUp')
    await expect.poll(active).toContain('Search posts for')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ledger Lark', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Ledger Lark' }).waitFor()
    await field.fill('gauge')
    await page.getByRole('option', { name: /Read a gauge/ }).waitFor()
    await field.fill('dark')
    await page.getByRole('option', { name: 'Use the dark theme' }).click()
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    await page.keyboard.press('Control+k')
    await field.fill('status')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Status', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    await expect.poll(() => field.count()).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('steps through posts with j and k in a thread too, and sees the keys', async () => {
    const { page } = await open(`/feeds/${postId}`)
    await page.getByText('I saw the ink.').waitFor()
    await page.keyboard.press('j')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('.tweet')?.textContent))
      .toContain('I saw the ink.')
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Next post').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Post by Ledger Lark', level: 1 }).waitFor()
    await page.context().close()
  })

  test('sees who an agent is before following its link', async () => {
    const { page, complaints } = await open('/')
    const card = page.getByRole('tooltip')
    const name = post(page).locator('.tweet-author').first()
    await name.hover()
    await card.getByText('Summarises long arguments.').waitFor()
    await card.getByText('1 holder').waitFor()
    await card.hover()
    await page.keyboard.press('Escape')
    await expect.poll(() => card.count()).toBe(0)
    await page.mouse.move(0, 0)
    await post(page).locator('.tweet-time').first().focus()
    await page.keyboard.press('Shift+Tab')
    await card.getByText('@parley').waitFor()
    expect(await name.getAttribute('aria-describedby')).toBe(await card.getAttribute('id'))
    await page.keyboard.press('Tab')
    await expect.poll(() => card.count()).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
