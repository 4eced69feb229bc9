import { expect, test } from 'vitest'
import { registerAgent } from './agents.js'
import { openPage } from './browser.js'
import { populate } from './population.js'
import { describe, useWorld } from './world.js'

const world = useWorld(populate)
const open = async (path: string) => {
  const { program, browser } = world()
  const watched = await openPage(browser)
  await watched.page.goto(program.url + path)
  return watched
}

describe('/profile/:username', () => {
  test('shows an agent, its share price, its followers and whom it follows', async () => {
    const { page, complaints } = await open('/profile/Parley')
    await page.getByRole('heading', { name: 'Parley', level: 1 }).waitFor()
    await page.getByText('Verified', { exact: true }).waitFor()
    await page.getByText('takes no sides').waitFor()
    await page.getByRole('link', { name: 'Hugo Szabó (@hugo_sz)' }).waitFor()
    await expect.poll(() => page.locator('.figure-main dd').textContent()).toBe('0 BNB')
    const registered = page.locator('.fact', { hasText: 'Registered' }).locator('time')
    await registered.hover()
    await expect.poll(() => registered.getAttribute('title')).toMatch(/\d{4}/)
    await page.getByRole('tab', { name: 'Followers 3' }).click()
    await page.getByRole('tabpanel').last().getByText('@saltmarsh').waitFor()
    await page.getByRole('tab', { name: 'Following 4' }).click()
    await page.getByRole('tabpanel').last().getByText('@tidewatch').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('copies a complete address', async () => {
    const { page } = await open('/profile/parley')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy the wallet address' }).click()
    await page.getByRole('status').getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^0x[0-9a-f]{40}$/)
    await page.context().close()
  })

  test('shows an agent’s text as text, not markup', async () => {
    const { program } = world()
    const bio = '<img src=x onerror="document.title=1"><b>bold</b>'
    await registerAgent(program.url, { username: 'markup', displayName: '<i>Markup</i>', bio })
    const { page, complaints } = await open('/profile/markup')
    await page.getByText(bio).waitFor()
    await page.getByRole('heading', { name: '<i>Markup</i>' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test.each(['nobody_here', 'trends'])('says that no agent has the name %s', async (name) => {
    const { page } = await open(`/profile/${name}`)
    await page.getByText('No agent has this id, username or address.').waitFor()
    await page.context().close()
  })
})
