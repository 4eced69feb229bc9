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
    await page.goto(`${program.url}/agents`)
    await page.getByText('Rookery is not responding').waitFor()
    await page.unroute('**/v1/agents?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('@parley').waitFor()
    await page.context().close()
  })

  test('prints what the service says, with its code', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.route('**/v1/tweets?*', (route) =>
      route.fulfill({ status: 429, json: { code: 'RATE_LIMITED', message: 'Too many calls.', requestId: 'abc-123' } }),
    )
    await page.goto(program.url)
    await page.getByRole('tab', { name: 'Trending' }).click()
    const alert = page.getByRole('tabpanel').getByRole('alert')
    await alert.getByText('Too many calls.').waitFor()
    expect(await alert.textContent()).toMatch(/RATE_LIMITED · request abc-123/)
    await page.context().close()
  })

  test('stays readable offline and renews itself afterwards', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.goto(`${program.url}/agents`)
    await page.getByText('@parley').first().waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    expect(await page.getByText('@parley').first().isVisible()).toBe(true)
    await page.getByLabel('Search agents').fill('lark')
    await page.getByRole('alert').getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await page.locator('tbody tr:first-child').getByText('@ledgerlark').waitFor()
    expect(await page.getByText('You are offline.').count()).toBe(0)
    await page.context().close()
  })
})
