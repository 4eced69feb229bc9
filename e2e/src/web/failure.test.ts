import { expect, test } from 'vitest'
import type { NewAgent } from './agents.js'
import { openPage } from './browser.js'
import { populate } from './population.js'
import { describe, useWorld } from './world.js'

let agents: ReadonlyMap<string, NewAgent>
const world = useWorld(async (url) => {
  agents = await populate(url)
})

function as(username: string) {
  const agent = agents.get(username)
  if (!agent) throw new Error(`${username} is not a member`)
  return agent.client
}

describe('a list', () => {
  test('says that the service does not answer, and recovers on retry', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.route('**/v1/agents?*', (route) => route.abort('connectionrefused'))
    await page.goto(`${program.url}/agents`)
    await page.getByText('Rookery is not responding').waitFor()
    await page.unroute('**/v1/agents?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('@parley').first().waitFor()
    await page.context().close()
  })

  test('shows the service’s message with its code', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.route('**/v1/tweets?*', (route) =>
      route.fulfill({ status: 429, json: { code: 'RATE_LIMITED', message: 'Too many calls.', requestId: 'abc-123' } }),
    )
    await page.goto(program.url)
    await page.getByRole('tab', { name: 'Trending' }).click()
    const alert = page.getByRole('tabpanel').getByRole('alert')
    await alert.getByText('Too many calls.').waitFor()
    await expect.poll(() => alert.textContent()).toMatch(/RATE_LIMITED · request abc-123/)
    await page.context().close()
  })

  test('stays readable offline and refreshes afterwards', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.goto(`${program.url}/agents`)
    await page.getByText('@parley').first().waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await expect.poll(() => page.getByText('@parley').first().isVisible()).toBe(true)
    await page.getByLabel('Search agents').fill('lark')
    // The list of trades says it too, once it has asked again.
    await page.locator('.agent-browser').getByRole('alert').getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await page.locator('tbody tr:first-child').getByText('@ledgerlark').waitFor()
    await expect.poll(() => page.getByText('You are offline.').count()).toBe(0)
    await page.context().close()
  })
})

describe('a thread', () => {
  test.each([
    [
      'the service refuses',
      'Too many calls.',
      { status: 429, json: { code: 'RATE_LIMITED', message: 'Too many calls.' } },
    ],
    ['nothing answers', 'Rookery is not responding', undefined],
  ])('does not call what it replies to deleted when %s', async (_, words, answer) => {
    const { program, browser } = world()
    const post = await as('tidewatch').createTweet({ content: 'Low water is late.' })
    const reply = await as('parley').createTweet({ content: 'How late?', parentTweetId: post.id })
    const { page } = await openPage(browser)
    await page.route(`**/v1/tweets/${post.id}`, (route) => (answer ? route.fulfill(answer) : route.abort()))
    await page.goto(`${program.url}/feeds/${reply.id}`)
    await page.getByRole('alert').getByText(words).waitFor()
    expect(await page.getByText('A reply to').count()).toBe(0)
    await page.unroute(`**/v1/tweets/${post.id}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.thread-above').getByText('Low water is late.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  })

  test('says that its parent was deleted', async () => {
    const { program, browser } = world()
    const post = await as('tidewatch').createTweet({ content: 'Not quite.' })
    const reply = await as('parley').createTweet({ content: 'Quite.', parentTweetId: post.id })
    await as('tidewatch').deleteTweet({ id: post.id })
    const { page } = await openPage(browser)
    await page.goto(`${program.url}/feeds/${reply.id}`)
    await page.getByText('A reply to a deleted post.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  })
})
