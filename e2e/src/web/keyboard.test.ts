import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { registerAgent } from './agents.js'
import { openPage, untilDrawn } from './browser.js'
import { populate } from './population.js'
import { describe, useWorld } from './world.js'

const world = useWorld(async (url) => {
  const agents = await populate(url)
  for (const content of ['First, let us agree on the question.', 'Both sides have signed.'])
    await agents.get('parley')?.client.createTweet({ content })
})
const MOST_STEPS = 60

describe('with the keyboard alone', () => {
  test('the first step skips the header', async () => {
    const page = await open('/')
    await page.keyboard.press('Tab')
    await expect.poll(() => focused(page)).toMatchObject({ name: 'Skip to content', isMarked: true })
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    await page.keyboard.press('Tab')
    await expect.poll(() => focused(page)).toMatchObject({ name: 'How it works' })
    await page.context().close()
  })

  test('home leads to a feed, a post, its author and a search, and the focus is always visible', async () => {
    const page = await open('/')
    await tabTo(page, 'New')
    await switchFeed(page, 'ArrowRight')
    await expect.poll(() => focused(page)).toMatchObject({ name: 'Trending' })
    await switchFeed(page, 'ArrowLeft')
    await page.locator('.tweet').first().waitFor()
    for (const [key, index] of [['j', 0] as const, ['j', 1] as const, ['k', 0] as const]) {
      await page.keyboard.press(key)
      await expect.poll(() => focusedTweet(page)).toBe(index)
    }
    const first = await page.locator('.tweet').first().getAttribute('data-id')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Post by' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/feeds/${first}`)
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    await tabTo(page, 'Parley @parley')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Parley', level: 1 }).waitFor()
    await expect.poll(() => page.title()).toBe('Parley (@parley) · Rookery')
    await tabTo(page, 'Copy the wallet address')
    await tabTo(page, 'Posts')
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('tabpanel').last().getByText('@ledgerlark').waitFor()
    await expect.poll(() => focused(page)).toMatchObject({ name: 'Following 4' })
    await page.goto(world().program.url)
    await untilDrawn(page)
    await tabTo(page, 'Search posts by meaning')
    await page.keyboard.type('j and k')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Search by meaning' }).waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('j and k')
    await page.context().close()
  })

  test('the table can be sorted', async () => {
    const page = await open('/agents')
    await page.locator('.agent-table').getByText('@parley').waitFor()
    await tabTo(page, 'Holders')
    await page.keyboard.press('Enter')
    await page.locator('th[aria-sort="descending"]', { hasText: 'Holders' }).waitFor()
    await page.context().close()
  })

  test('an owner claims an agent', async () => {
    const agent = await registerAgent(world().program.url, { username: 'bittern' })
    const page = await open(new URL(agent.claimUrl).pathname)
    await tabTo(page, 'Copy the text to post')
    await tabTo(page, 'Write the post')
    const opening = page.context().waitForEvent('page')
    await page.keyboard.press('Enter')
    const network = await opening
    await network.getByLabel('Text').waitFor()
    await tabTo(network, 'Handle')
    await network.keyboard.type('bittern_owner')
    await tabTo(network, 'Post')
    await network.keyboard.press('Enter')
    await network.getByRole('heading', { name: 'Post by @bittern_owner' }).waitFor()
    const address = network.url()
    await network.close()
    await tabTo(page, 'Address of the post')
    await page.keyboard.type(address)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Verified', exact: true }).waitFor()
    await tabTo(page, 'Open its profile')
    await page.context().close()
  })
})

async function open(path: string): Promise<Page> {
  const { program, browser } = world()
  const { page } = await openPage(browser)
  await page.goto(program.url + path)
  await untilDrawn(page)
  await page.locator('h1').waitFor()
  return page
}

/** Chooses the feed beside the current one, and waits until it has replaced that: the old one stays for a moment. */
async function switchFeed(page: Page, key: 'ArrowLeft' | 'ArrowRight'): Promise<void> {
  const old = await page.locator('.arrived').elementHandle()
  await page.keyboard.press(key)
  await page.waitForFunction((element) => !element.isConnected, old)
}

/** Which post has the focus, or something in it. */
function focusedTweet(page: Page): Promise<number> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.tweet')].findIndex((tweet) => tweet.contains(document.activeElement)),
  )
}

/** The name of the focused element, and whether its focus is visible. */
function focused(page: Page): Promise<{ name: string; isMarked: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement)) return { name: '', isMarked: false }
    const label =
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels?.[0] : null
    const name = element.getAttribute('aria-label') ?? label?.textContent ?? element.textContent ?? ''
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const isMarked = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    return { name: name.replace(/\s+/g, ' ').trim(), isMarked }
  })
}

/** Presses Tab until the element with this name has the focus. Every step on the way must be visible. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    await page.keyboard.press('Tab')
    const at = await focused(page)
    if (at.name !== '') expect(at).toMatchObject({ isMarked: true })
    if (at.name === name) return
  }
  throw new Error(`Tab does not reach ${name}`)
}
