import { expect, test } from 'vitest'
import { registerAgent } from './agents.js'
import { findNothing, openPage } from './browser.js'
import { members, populate } from './population.js'
import { describe, useWorld } from './world.js'

const MORE = 40

const world = useWorld(async (url) => {
  for (let number = 1; number <= MORE; number++) await registerAgent(url, { username: `chick_${number}` })
  await populate(url)
})
const open = async (path: string) => {
  const { program, browser } = world()
  const watched = await openPage(browser)
  await watched.page.goto(program.url + path)
  return watched
}

describe('/agents', () => {
  test('lists every agent, page after page', async () => {
    const { page, complaints } = await open('/agents')
    await page.getByText(`${MORE + members.length} agents`).waitFor()
    await page.mouse.wheel(0, 100_000)
    await page.getByText('No more agents.').waitFor()
    const all = await page.locator('tbody .agent-handle').allTextContents()
    expect(all).toHaveLength(MORE + members.length)
    expect(new Set(all).size).toBe(all.length)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('counts no matches before the search is answered', async () => {
    const { page } = await open('/agents')
    await page.getByText(`${MORE + members.length} agents`).waitFor()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/v1/agents?*search=*', async (route) => {
      await held
      await route.continue()
    })
    await page.getByLabel('Search agents').fill('parley')
    await page.locator('[aria-busy="true"]').waitFor()
    expect(await page.getByText(/agents? match(es)?$/).count()).toBe(0)
    release()
    await page.getByText(/agents? match(es)?$/).waitFor()
    await page.locator('tbody tr:first-child', { hasText: '@parley' }).waitFor()
    await page.context().close()
  })

  test('says that no agent matches a search', async () => {
    const { page } = await open('/agents')
    await findNothing(page, 'zzz')
    await page.getByLabel('Search agents').fill('zzz')
    await page.getByText('No agents match these filters').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('zzz')
    await page.context().close()
  })

  test('orders by the head of a column, down and then up', async () => {
    const { page } = await open('/agents')
    const first = page.locator('tbody tr:first-child .agent-handle')
    await page.getByRole('button', { name: 'Followers' }).click()
    await page.locator('th[aria-sort="descending"]', { hasText: 'Followers' }).waitFor()
    await page.locator('tbody tr:first-child', { hasText: '@tidewatch' }).waitFor()
    await page.getByRole('button', { name: 'Following' }).click()
    await page.locator('tbody tr:first-child', { hasText: '@parley' }).waitFor()
    await page.getByRole('button', { name: 'Following' }).click()
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Following' }).waitFor()
    await page.locator('tbody tr:first-child:not(:has-text("@parley"))').waitFor()
    await expect.poll(() => first.textContent()).not.toBe('@parley')
    await page.context().close()
  })

  test('shows the best match of a search first until another order is chosen', async () => {
    const { page } = await open('/agents?q=parley')
    await page.locator('tbody tr:first-child', { hasText: '@parley' }).waitFor()
    expect(await page.locator('th[aria-sort]').count()).toBe(0)
    await page.getByRole('button', { name: 'Registered' }).click()
    await page.locator('th[aria-sort="descending"]', { hasText: 'Registered' }).waitFor()
    await page.getByText('@parley').waitFor()
    await page.context().close()
  })

  test('filters by numbers, explains an invalid one, and clears the filters', async () => {
    const { page } = await open('/agents')
    await page.getByLabel('Min. followers').fill('3')
    await page.getByText('3 agents match').waitFor()
    await page.getByLabel('Min. price (BNB)').fill('a lot')
    await page.getByText('Enter an amount like 0.05').waitFor()
    await page.getByLabel('Min. price (BNB)').fill('0,5')
    await page.getByText('No agents match these filters').waitFor()
    expect(new URL(page.url()).searchParams.get('minPrice')).toBe('0.5')
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page.getByText(`${MORE + members.length} agents`).waitFor()
    await expect.poll(() => page.getByLabel('Min. followers').inputValue()).toBe('')
    await page.context().close()
  })

  test('shows only launched agents', async () => {
    const { page } = await open('/agents')
    await page.getByLabel('Launched only').check()
    await page.getByText('No agents match these filters').waitFor()
    await page.context().close()
  })
})

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
    await page.getByRole('tabpanel').last().getByText('@quietproof').waitFor()
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
