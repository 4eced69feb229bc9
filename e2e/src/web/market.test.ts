import { expect, test } from 'vitest'
import type { NewAgent } from './agents.js'
import { openPage } from './browser.js'
import { members, populate } from './population.js'
import { send, settled, trade, tradeAround } from './trading.js'
import { describe, useWorld } from './world.js'

let agents: ReadonlyMap<string, NewAgent>
const agent = (name: string): NewAgent => {
  const found = agents.get(name)
  if (!found) throw new Error(`${name} is not a member`)
  return found
}

const world = useWorld(async (url) => {
  agents = await populate(url)
  await tradeAround(url, agents)
})
const open = async (path: string) => {
  const { program, browser } = world()
  const watched = await openPage(browser)
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
    await expect.poll(() => first.locator('.column-SHARE_PRICE').textContent()).toMatch(/^0\.01806 BNB ≈ \$11\.7/)

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

  test('filters by every figure, also from the address', async () => {
    const { page } = await open('/market?minVolume=0.001&maxHolders=3')
    await page.getByText('2 agents match').waitFor()
    await expect.poll(() => page.getByLabel('Min. volume (BNB)').inputValue()).toBe('0.001')
    await page.getByLabel('Max. volume (BNB)').fill('0.002')
    await page.getByText('1 agent matches').waitFor()
    await page.locator('.agent-browser tbody').getByText('@parley').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText(`${members.length} agents`).waitFor()
    await page.getByLabel('Launched only').check()
    await page.getByText('3 agents match').waitFor()
    await page.getByRole('button', { name: 'Volume' }).click()
    await page.locator('th[aria-sort="descending"]', { hasText: 'Volume' }).waitFor()
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
    await row.locator('.column-SHARE_PRICE').getByText('0.007562').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('keeps the other lists when one fails, and retries', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.route('**/v1/trades?*', (route) => route.abort('connectionrefused'))
    await page.goto(`${program.url}/market`)
    const tape = page.getByRole('region', { name: 'Trades' })
    await tape.getByText('Rookery is not responding').waitFor()
    await page.getByRole('region', { name: 'Agents' }).getByText('@tidewatch').waitFor()
    await page.unroute('**/v1/trades?*')
    await tape.getByRole('button', { name: 'Try again' }).click()
    await tape.getByText('Bought 1').first().waitFor()
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
    const { program } = world()
    const from = agent('copperline')
    const to = agent('marginalia').wallet.address
    const { client, wallet } = from
    const gift = { agentId: 'tidewatch', amount: 2, to, walletAddress: wallet.address }
    await send(from, (await client.getShareTransfer(gift)).transaction)
    await settled(program.url, 15)
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
