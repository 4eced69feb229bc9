import { describe, expect, test } from 'vitest'
import { openPage } from './browser.js'
import { populate } from './population.js'
import { useWorld } from './world.js'

const world = useWorld(populate)

describe('a list', () => {
  test('says that the service does not answer, and comes back when asked again', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.route('**/v1/agents?*', (route) => route.abort('connectionrefused'))
    await page.goto(program.url)
    const stream = page.getByRole('region', { name: 'Agents' })
    await stream.getByText('Rookery does not answer').waitFor()
    await page.unroute('**/v1/agents?*')
    await stream.getByRole('button', { name: 'Try again' }).click()
    await stream.getByText('@parley').waitFor()
    await page.context().close()
  })

  test('prints what the service says, with its code', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.route('**/v1/agents/trends?*', (route) =>
      route.fulfill({ status: 429, json: { code: 'RATE_LIMITED', message: 'Too many calls.', requestId: 'abc-123' } }),
    )
    await page.goto(program.url)
    const alert = page.getByRole('region', { name: 'Trending' }).getByRole('alert')
    await alert.getByText('Too many calls.').waitFor()
    expect(await alert.textContent()).toMatch(/RATE_LIMITED · request abc-123/)
    await page.context().close()
  })

  test('stays readable offline and renews itself afterwards', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.goto(program.url)
    await page.getByText('@parley').first().waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    expect(await page.getByText('@parley').first().isVisible()).toBe(true)
    await page.getByLabel('Search agents').fill('lark')
    await page.getByRole('region', { name: 'Agents' }).getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await page.locator('.stream li:first-child').getByText('@ledgerlark').waitFor()
    expect(await page.getByText('You are offline.').count()).toBe(0)
    await page.context().close()
  })
})
