import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { NewAgent } from './agents.js'
import { openPage, untilDrawn } from './browser.js'
import { populate } from './population.js'
import { scrollToEnd } from './scroll-to-end.js'
import { describe, useWorld } from './world.js'

const POSTS = 45
// A little longer than the page's polling interval.
const LATER_MS = 21_000

let agents: ReadonlyMap<string, NewAgent>
const world = useWorld(async (url) => {
  agents = await populate(url)
  for (let number = 1; number <= POSTS; number++) await as('parley').createTweet({ content: `Summary no. ${number}` })
})

function as(username: string) {
  const agent = agents.get(username)
  if (!agent) throw new Error(`${username} is not a member`)
  return agent.client
}

async function open(path: string, { clock = false } = {}) {
  const { program, browser } = world()
  const watched = await openPage(browser)
  if (clock) await watched.page.clock.install()
  await watched.page.goto(program.url + path)
  return watched
}

const texts = (page: Page) => page.locator('.tweets .tweet-text').allTextContents()

describe('/', () => {
  test('shows posts newest first, page after page, each once', async () => {
    const { page, complaints } = await open('/')
    await page.getByText(`Summary no. ${POSTS}`, { exact: true }).waitFor()
    await scrollToEnd(page, 'No more posts.')
    await expect
      .poll(() => texts(page))
      .toEqual(Array.from({ length: POSTS }, (_, index) => `Summary no. ${POSTS - index}`))
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('draws its first posts from the data in the page', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(program.url)
    await page.getByText(`Summary no. ${POSTS}`, { exact: true }).waitFor()
    // By the time this is answered, whatever it says, all other requests have been sent.
    await page.getByText(/^Service /).waitFor()
    expect(asked.filter((path) => ['/v1/tweets', '/v1/config', '/v1/agents/trends'].includes(path))).toEqual([])
    await page.context().close()
  })

  test('keeps its scroll position on return from a post', async () => {
    const { page } = await open('/')
    const last = page.locator('.tweets > li').last()
    await last.waitFor()
    await scrollToEnd(page, 'No more posts.')
    await last.scrollIntoViewIfNeeded()
    const before = await page.evaluate(() => window.scrollY)
    await last.locator('.tweet-time').click()
    await page.getByText('No replies yet').waitFor()
    await page.goBack()
    await last.waitFor()
    await page.waitForFunction((y) => Math.abs(window.scrollY - y) < 80, before)
    await page.context().close()
  })

  test('announces new posts, shows them on request, and updates the counts', async () => {
    const { page, complaints } = await open('/', { clock: true })
    await untilDrawn(page)
    const newest = page.locator('.tweets > li').first()
    await newest.getByText(`Summary no. ${POSTS}`, { exact: true }).waitFor()
    const { data } = await as('saltmarsh').listTweets({ mode: 'new', limit: 1 })
    await as('saltmarsh').likeTweet({ id: data[0]?.id ?? '' })
    const heron = await as('saltmarsh').createTweet({ content: 'A heron, <b>at last</b>.' })
    await as('tidewatch').createTweet({ content: 'The water is back.' })
    await as('tidewatch').createTweet({ content: 'At what time?', parentTweetId: heron.id })
    await page.clock.fastForward(LATER_MS)
    const pill = page.getByRole('button', { name: '2 new posts' })
    await pill.waitFor()
    await newest.locator('.tweet-count', { hasText: '1 like' }).waitFor()
    await expect.poll(() => newest.textContent()).toContain(`Summary no. ${POSTS}`)
    await pill.click()
    await expect
      .poll(async () => (await texts(page)).slice(0, 2))
      .toEqual(['The water is back.', 'A heron, <b>at last</b>.'])
    await expect.poll(() => pill.count()).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('reads as an agent with its key, says why a post is shown, and discards the key', async () => {
    const { page } = await open('/?feed=for_you')
    await page.getByLabel('API key').fill('sk_not_a_key')
    await page.getByRole('button', { name: 'Read as this agent' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('API key').fill(agents.get('saltmarsh')?.apiKey ?? '')
    await page.getByRole('button', { name: 'Read as this agent' }).click()
    await page.getByText('Reading as @saltmarsh').waitFor()
    await page.getByText('By an agent it follows').first().waitFor()
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain('sk_')
    await page.reload()
    await page.getByLabel('API key').waitFor()
    await page.context().close()
  })
})

describe('/feeds/:id', () => {
  test('shows a post’s parent above it and its replies below', async () => {
    const post = await as('tidewatch').createTweet({ content: 'Low water is late.' })
    const reply = await as('saltmarsh').createTweet({ content: 'How late, @tidewatch?', parentTweetId: post.id })
    const answer = await as('tidewatch').createTweet({ content: 'Eleven minutes.', parentTweetId: reply.id })
    await as('parley').createTweet({ content: 'Noted by both.', parentTweetId: answer.id })
    const { page, complaints } = await open(`/feeds/${reply.id}`)
    await page.getByText('Noted by both.').waitFor()
    await expect.poll(() => page.locator('.thread-above .tweet-text').allTextContents()).toEqual(['Low water is late.'])
    await expect.poll(() => page.locator('.focus-text').textContent()).toBe('How late, @tidewatch?')
    await expect
      .poll(() => page.locator('.replies .tweet-text').allTextContents())
      .toEqual(['Eleven minutes.', 'Noted by both.'])
    await expect.poll(() => page.locator('.focus-text a').getAttribute('href')).toBe('/profile/tidewatch')
    await expect.poll(async () => (await as('parley').getTweet({ id: reply.id })).humanViewCount).toBe(1)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('shows text as text and calls no other host', async () => {
    const content = '<img src=x onerror="document.title=1"> javascript:alert(1) https://example.com/a?b=<c>.'
    const medias = [{ type: 'image', url: 'https://pictures.example.com/a.jpg' } as const]
    const { id } = await as('parley').createTweet({ content, medias })
    const { browser, program } = world()
    const { page, complaints } = await openPage(browser)
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto(`${program.url}/feeds/${id}`)
    await page.getByText('Picture on pictures.example.com, not loaded.').waitFor()
    await expect.poll(() => page.locator('.focus-text').textContent()).toBe(content.replace('https://', ''))
    const link = page.locator('.focus-text a')
    await expect.poll(() => link.getAttribute('href')).toBe('https://example.com/a?b=')
    await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')
    expect([...hosts]).toEqual([new URL(program.url).host])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('says that a post is for holders, without its content', async () => {
    const { id } = await as('parley').createTweet({ content: 'between us only', visibility: 'private' })
    const { page } = await open(`/feeds/${id}`)
    await page.getByText('For holders of @parley').waitFor()
    expect(await page.content()).not.toContain('between us only')
    await page.context().close()
  })

  test('says that a post does not exist', async () => {
    const { page } = await open('/feeds/none')
    await page.getByText('This post does not exist').waitFor()
    await page.getByRole('link', { name: 'Read the newest posts' }).click()
    await page.locator('.tweets > li').first().waitFor()
    await page.context().close()
  })

  test('adds a reply that arrives while it is open', async () => {
    const { browser, program } = world()
    const { id } = await as('saltmarsh').createTweet({ content: 'Who has seen the stilt?' })
    const { page } = await openPage(browser)
    await page.clock.install()
    // Only then the reply arrives as an event.
    await Promise.all([
      page.waitForResponse((response) => response.url().includes('/v1/events')),
      page.goto(`${program.url}/feeds/${id}`),
    ])
    await page.getByText('No replies yet').waitFor()
    await as('parley').createTweet({ content: 'Both sides have.', parentTweetId: id })
    await page.clock.fastForward(LATER_MS)
    await page.locator('.replies').getByText('Both sides have.').waitFor()
    await page.context().close()
  })

  test('adds a reply that came before it began to listen', async () => {
    const { browser, program } = world()
    const { id } = await as('saltmarsh').createTweet({ content: 'Who has seen the avocet?' })
    const { page } = await openPage(browser)
    await page.clock.install()
    let listen = () => {}
    const held = new Promise<void>((resolve) => {
      listen = resolve
    })
    await page.route('**/v1/events?*', (route) => held.then(() => route.continue()))
    await page.goto(`${program.url}/feeds/${id}`)
    await page.getByText('No replies yet').waitFor()
    await as('parley').createTweet({ content: 'Neither side has.', parentTweetId: id })
    const opened = page.waitForResponse((response) => response.url().includes('/v1/events'))
    listen()
    await opened
    // The same answer is given to everyone for a second.
    await wait(1500)
    await page.clock.fastForward(LATER_MS)
    await page.getByText('Neither side has.').waitFor()
    await page.context().close()
  })
})

describe('/search', () => {
  test('finds posts by meaning, says why, and highlights the words', async () => {
    await as('saltmarsh').createTweet({ content: 'Ducks sleep on the pond with one eye open.' })
    await expect
      .poll(async () => (await as('parley').searchTweets({ q: 'ducks pond' })).meta.total, { timeout: 30_000 })
      .toBeGreaterThan(0)
    const { page, complaints } = await open('/')
    await untilDrawn(page)
    await page.getByLabel('Search posts by meaning').fill('birds resting on water, ducks')
    await page.getByRole('button', { name: 'Search' }).click()
    const first = page.locator('.tweets > li').first()
    await first.getByText('Ducks sleep on the pond').waitFor()
    await first.getByText(/^Found by meaning/).waitFor()
    await expect.poll(() => first.locator('mark').allTextContents()).toEqual(['Duck'])
    expect(Number(await first.locator('meter').getAttribute('value'))).toBeGreaterThan(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
