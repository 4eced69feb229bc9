import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type NewAgent, registerAgent } from './agents.js'
import { findNothing, openPage } from './browser.js'
import { members, populate } from './population.js'
import { scrollToEnd } from './scroll-to-end.js'
import { send, settled, trade, tradeAround } from './trading.js'
import { describe, useWorld } from './world.js'

const MORE = 40
const ALL = MORE + members.length

let agents: ReadonlyMap<string, NewAgent>
const agent = (name: string): NewAgent => {
  const found = agents.get(name)
  if (!found) throw new Error(`${name} is not a member`)
  return found
}

const world = useWorld(async (url) => {
  for (let number = 1; number <= MORE; number++) await registerAgent(url, { username: `chick_${number}` })
  agents = await populate(url)
  await tradeAround(url, agents)
})
const open = async (path: string, options: Parameters<typeof openPage>[1] = {}) => {
  const { program, browser } = world()
  const watched = await openPage(browser, options)
  await watched.page.goto(program.url + path)
  return watched
}

describe('/market', () => {
  test('shows the market’s value, the leaders and every agent’s price', async () => {
    const { page, complaints } = await open('/market')
    const strip = page.locator('.stats-strip')
    await strip.getByText('$650.00').waitFor()
    await expect.poll(() => strip.locator('.stat', { hasText: 'Trades' }).locator('dd').textContent()).toBe('14')
    await expect
      .poll(() => strip.locator('.stat', { hasText: 'All-time volume' }).textContent())
      .toMatch(/0\.3323 BNB ≈ \$216/)

    const first = page.locator('.agent-browser tbody tr').first()
    await first.getByText('@tidewatch').waitFor()
    await expect.poll(() => first.locator('.column-SHARE_PRICE').textContent()).toMatch(/^0\.01806\d* BNB ≈ \$11\.7/)

    const movers = page.getByRole('region', { name: 'Trending' })
    await movers.getByText('@tidewatch').waitFor()

    const leaders = page.getByRole('region', { name: 'Leaders' })
    await leaders.locator('.leader').first().getByText('@copperline').waitFor()
    await leaders.getByRole('tab', { name: 'Traders' }).click()
    await leaders.getByText('3 trades').first().waitFor()
    expect(new URL(page.url()).searchParams.get('leaders')).toBe('traders')
    await leaders.getByRole('tab', { name: 'Balance' }).click()
    await leaders.getByRole('tabpanel').getByText(/BNB/).first().waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('shows a trade and its effects without a reload', async () => {
    const { page, complaints } = await open('/market')
    const tape = page.getByRole('region', { name: 'Trades' })
    await tape.locator('.tape-row').first().waitFor()
    await tape.getByText('Live', { exact: true }).waitFor()
    await trade(agent('parley'), 'buy', 'ledgerlark', 3)
    await tape.locator('.tape-row').first().getByText('Bought 3').waitFor()
    await tape.locator('.tape-row').first().getByText('Ledger Lark').waitFor()
    const row = page.locator('.agent-browser tbody tr', { hasText: '@ledgerlark' })
    await row
      .locator('.column-SHARE_PRICE')
      .getByText(/^0\.00756/)
      .waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('keeps the other lists when one fails, and retries', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.route('**/v1/trades?*', (route) => route.abort('connectionrefused'))
    await page.goto(`${program.url}/market`)
    const tape = page.getByRole('region', { name: 'Trades' })
    // Until then it retries by itself every few seconds.
    await tape.getByText('Live', { exact: true }).waitFor()
    await tape.getByText('Rookery is not responding').waitFor()
    await page.getByRole('region', { name: 'Agents' }).getByText('@tidewatch').waitFor()
    await page.unroute('**/v1/trades?*')
    await tape.getByRole('button', { name: 'Try again' }).click()
    await tape.getByText('Bought 1').first().waitFor()
    await page.context().close()
  })
})

describe('the table of the market', () => {
  test('lists every agent, page after page', async () => {
    const { page, complaints } = await open('/agents')
    await page.getByText(`${ALL} agents`).waitFor()
    await scrollToEnd(page, 'No more agents.')
    const all = await page.locator('.agent-table .agent-handle').allTextContents()
    expect(all).toHaveLength(ALL)
    expect(new Set(all).size).toBe(all.length)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('counts no matches before the search is answered', async () => {
    const { page } = await open('/agents')
    await page.getByText(`${ALL} agents`).waitFor()
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

  test('orders by the head of a column, down and then up, and by what has no column', async () => {
    const { page } = await open('/agents')
    await page.locator('th button', { hasText: 'Holders' }).click()
    await page.locator('th[aria-sort="descending"]', { hasText: 'Holders' }).waitFor()
    await page.locator('tbody tr:first-child', { hasText: '@tidewatch' }).waitFor()
    await page.locator('th button', { hasText: 'Holders' }).click()
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Holders' }).waitFor()
    await page.locator('tbody tr:first-child:not(:has-text("@tidewatch"))').waitFor()
    await page.getByLabel('Sort by').selectOption('Following')
    await page.locator('th[aria-sort="descending"]', { hasText: 'Following' }).waitFor()
    await page.locator('tbody tr:first-child', { hasText: '@parley' }).waitFor()
    await page.context().close()
  })

  test('shows the best match of a search first until another order is chosen', async () => {
    const { page } = await open('/agents?q=parley')
    await page.locator('tbody tr:first-child', { hasText: '@parley' }).waitFor()
    expect(await page.locator('th[aria-sort]').count()).toBe(0)
    await page.getByLabel('Sort by').selectOption('Registered')
    await page.locator('th[aria-sort="descending"]', { hasText: 'Registered' }).waitFor()
    await page.locator('tbody').getByText('@parley').waitFor()
    await page.context().close()
  })
})

const sizes = [
  { width: 360, height: 800 },
  { width: 1280, height: 900 },
]

describe.each(sizes)('the table of the market at $width × $height', (viewport) => {
  const row = (page: Page, name: string) => page.locator('.agent-table tbody tr', { hasText: `@${name}` })
  const first = (page: Page, name: string) =>
    page.locator('.agent-table tbody tr:first-child', { hasText: `@${name}` }).waitFor()
  /** Waits for the amounts in dollars above the table, which move it when they arrive. */
  const dollars = (page: Page) => page.locator('.stats-strip .dollars').first().waitFor()

  test('is one screen at both addresses, and has an address for each view', async () => {
    const { page, complaints } = await open('/agents?sort=VOL&order=ASC&minFollowers=3', { viewport })
    await page.getByRole('heading', { name: 'Market', level: 1 }).waitFor()
    await page.getByText('3 agents match').waitFor()
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Volume' }).waitFor()
    await page.goto(`${world().program.url}/market`)
    const views = page.getByRole('navigation', { name: 'Views of the market' })
    await views.getByRole('link', { name: 'Gainers' }).click()
    await first(page, 'ledgerlark')
    expect(new URL(page.url()).search).toBe('?view=gainers')
    await row(page, 'ledgerlark')
      .getByText(/[0-9],\d00\.0 %/)
      .waitFor()
    await page.getByText('3 agents', { exact: true }).waitFor()
    await views.getByRole('link', { name: 'Losers' }).click()
    await page.getByText('No price has fallen within 24 hours').waitFor()
    await page.reload()
    await page.getByText('No price has fallen within 24 hours').waitFor()
    expect(await views.locator('[aria-current="page"]').textContent()).toBe('Losers')
    await views.getByRole('link', { name: 'Newest' }).click()
    await page.locator('th[aria-sort="descending"]', { hasText: 'Launched' }).waitFor()
    await first(page, 'parley')
    await views.getByRole('link', { name: 'Most held' }).click()
    await page.locator('th[aria-sort="descending"]', { hasText: 'Holders' }).waitFor()
    await first(page, 'tidewatch')
    await views.getByRole('link', { name: 'Most traded' }).click()
    await page.locator('th[aria-sort="descending"]', { hasText: 'Volume' }).waitFor()
    await first(page, 'tidewatch')
    await page.locator('th button', { hasText: 'Holders' }).click()
    expect(new URL(page.url()).search).toBe('?sort=HOLDERS')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('has rows that are links as a whole', async () => {
    const { page } = await open('/market?view=gainers', { viewport })
    const cell = row(page, 'tidewatch').locator('.column-CHANGE_24H')
    await cell.waitFor()
    await dollars(page)
    const opening = page.context().waitForEvent('page')
    await cell.click({ button: 'middle', force: true })
    const other = await opening
    await other.waitForURL('**/profile/tidewatch')
    await other.close()
    await cell.click({ force: true })
    await page.waitForURL('**/profile/tidewatch')
    await page.goBack()
    await row(page, 'ledgerlark').getByRole('link').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/profile/ledgerlark')
    await page.context().close()
  })

  test('keeps rare filters in a panel over the table, and counts those in use', async () => {
    const { page } = await open('/market?minVolume=0.001&maxHolders=4', { viewport })
    await page.getByText('2 agents match').waitFor()
    await dollars(page)
    const more = page.getByRole('button', { name: 'More filters 2 in use' })
    const place = () =>
      page.locator('.agent-table').evaluate((table) => table.getBoundingClientRect().top + window.scrollY)
    const before = await place()
    await more.click()
    const panel = page.getByRole('dialog', { name: 'Filters' })
    await expect.poll(() => panel.getByLabel('Min. volume (BNB)').inputValue()).toBe('0.001')
    expect(await place()).toBe(before)
    await panel.getByLabel('Max. volume (BNB)').fill('0.002')
    await panel.getByRole('button', { name: 'Show 1 agent' }).click()
    await page.getByText('1 agent matches').waitFor()
    await row(page, 'parley').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText(`${ALL} agents`).waitFor()
    await page.getByLabel('Launched only').check()
    await page.getByText('3 agents match').waitFor()
    await page.getByLabel('Min. price (BNB)').fill('a lot')
    await page.getByText('Enter an amount like 0.05').waitFor()
    await page.getByLabel('Min. price (BNB)').fill('0,01')
    await page.getByText('1 agent matches').waitFor()
    expect(new URL(page.url()).searchParams.get('minPrice')).toBe('0.01')
    await page.context().close()
  })

  test('aligns amounts, shows no part of a cent, whole names, and says that it scrolls', async () => {
    const { page } = await open('/market', { viewport })
    await first(page, 'tidewatch')
    const prices = await page.locator('td.column-SHARE_PRICE .money').allTextContents()
    expect(new Set(prices.map((price) => price.split(' ')[0]?.split('.')[1]?.length)).size).toBe(1)
    for (const text of await page.locator('.dollars').allTextContents())
      expect(text).toMatch(/^ (≈ \$[\d,]+\.\d\d|< \$0\.01)$/)
    const cut = await page
      .locator('.agent-table .agent-display')
      .evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth).length)
    expect(cut).toBe(0)
    const area = page.getByRole('region', { name: /scrolls sideways/ })
    if (viewport.width === 360) {
      await page.getByText('Scroll sideways for more').first().waitFor()
      await area.focus()
      await page.keyboard.press('End')
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => area.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
    } else expect(await area.count()).toBe(0)
    await page.context().close()
  })

  test('says how old the price of BNB is when it is old', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser, { viewport })
    const lastUpdatedUnix = Math.floor(Date.now() / 1000) - 3 * 3600 - 60
    await page.route('**/v1/price/bnb', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        json: { ...(await answer.json()), source: 'chainlink', lastUpdatedUnix },
      })
    })
    await page.goto(`${program.url}/market`)
    await page.getByText('US dollars at the BNB price of 3 h ago').waitFor()
    await page.context().close()
  })
})

describe('/traders/:address', () => {
  test('shows a wallet’s holdings and activity', async () => {
    const { page, complaints } = await open(`/traders/${agent('ledgerlark').wallet.address}`)
    const row = page.locator('.holdings tbody tr', { hasText: '@tidewatch' })
    await row.waitFor()
    await expect.poll(() => row.textContent()).toMatch(/0\.016 BNB ≈ \$10\.40/)
    await expect.poll(() => row.textContent()).toContain('+0.01452 BNB')
    await page.getByRole('link', { name: 'Ledger Lark @ledgerlark' }).first().waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    const activities = page.locator('.activities tbody tr')
    await activities.first().getByText('Sold 3').waitFor()
    await expect.poll(() => activities.count()).toBe(3)
    const time = activities.first().locator('time')
    await time.hover()
    await expect.poll(() => time.getAttribute('title')).toMatch(/\d{4}/)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('shows a transfer from both sides', async () => {
    const from = agent('copperline')
    const to = agent('marginalia').wallet.address
    const { client, wallet } = from
    const gift = { agentId: 'tidewatch', amount: 2, to, walletAddress: wallet.address }
    await send(from, (await client.getShareTransfer(gift)).transaction)
    // No event tells the page of a transfer.
    await expect.poll(async () => (await client.listTraderActivities({ address: to })).meta.total).toBe(1)
    const { page } = await open(`/traders/${to}?tab=activity`)
    await page.getByText('Received 2').waitFor()
    await page.getByText('no payment').waitFor()
    await page.locator('.activities').getByText('@copperline').waitFor()
    await page.context().close()
  })

  test('says that a wallet has no activity, and that an address is invalid', async () => {
    const { page } = await open('/traders/0x00000000000000000000000000000000000000aa')
    await page.getByText('This wallet holds no shares').waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByText('No activity yet').waitFor()
    await page.goto(`${world().program.url}/traders/nobody`)
    await page.getByText('This is not a wallet address').waitFor()
    await page.context().close()
  })
})

// Last, because it changes the figures of the market.
describe('an agent whose price fell', () => {
  test('is the only loser, and no gainer', async () => {
    const who = agent('quietproof')
    await trade(who, 'buy', 'quietproof', 3)
    await trade(who, 'sell', 'quietproof', 1)
    await settled(world().program.url, 17)
    const { page } = await open('/market?view=losers')
    const handles = page.locator('.agent-table .agent-handle')
    await expect.poll(() => handles.allTextContents()).toEqual(['@quietproof'])
    await page.getByRole('link', { name: 'Gainers' }).click()
    await page.getByText('3 agents', { exact: true }).waitFor()
    expect(await handles.allTextContents()).not.toContain('@quietproof')
    await page.context().close()
  })
})
