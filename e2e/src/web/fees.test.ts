import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { NewAgent } from './agents.js'
import { openPage } from './browser.js'
import { installWallet } from './browser-wallet.js'
import { looksWell } from './looks-well.js'
import { enterMarket, trade } from './trading.js'
import { describe, useWorld } from './world.js'

let maker: NewAgent
let taker: NewAgent
const world = useWorld(async (url) => {
  maker = await enterMarket(url, { username: 'maker', displayName: 'Maker' })
  taker = await enterMarket(url, { username: 'taker' })
  await trade(maker, 'buy', 'maker', 3)
  await trade(taker, 'buy', 'maker', 2)
})
const CHAIN = 31_337

/** Logs in as the owner and opens the fees. */
async function openFees(page: Page): Promise<void> {
  await page.goto(`${world().program.url}/owner/agents/maker?view=fees`)
  await page.getByRole('button', { name: 'Log in with the local network' }).click()
  await page.getByLabel('Handle').fill('x_maker')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('heading', { name: 'Earnings' }).waitFor()
}

const fact = (page: Page, name: string) => page.locator('.owner-fees').getByText(name, { exact: true }).locator('..')
const claimable = async () => (await maker.client.getFees({})).claimableWei

describe('the fees of an agent', () => {
  test('are shown to the owner and collected with a browser wallet', async () => {
    const { page, complaints } = await openPage(world().browser)
    await installWallet(page, maker, { name: 'Rabby', chainId: CHAIN })
    await openFees(page)
    await fact(page, 'Waiting').getByText('0.00009375').waitFor()
    await fact(page, 'Earned since the launch').getByText('0.00009375').waitFor()
    await page.getByText('Nothing has been collected yet').waitFor()
    await page.getByRole('img', { name: 'Earned on each of the last 30 days' }).waitFor()
    await page.getByText('As a table').click()
    await page.getByRole('region', { name: 'Earned day by day' }).getByText('0.00009375').waitFor()
    await page.getByRole('button', { name: 'Connect a wallet' }).click()
    await page.getByRole('button', { name: 'Rabby' }).click()
    await page.getByRole('button', { name: 'Collect' }).click()
    await page.getByText('Done. The fees are in the agent’s wallet.').waitFor()
    expect(await claimable()).toBe('0')
    await fact(page, 'Collected').getByText('0.00009375').waitFor()
    await page.getByRole('button', { name: 'Back to the fees' }).click()
    await page.getByText('Nothing waits to be collected.').waitFor()
    const { data } = await maker.client.listFeeClaims({})
    expect(data).toMatchObject([{ amountBNB: '0.00009375', receiver: maker.wallet.address.toLowerCase() }])
    await page.locator('.owner-lines').getByText('0.00009375').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('are collected with the built-in test wallet, which pays the gas for the agent', async () => {
    await trade(taker, 'buy', 'maker', 1)
    const { page, complaints } = await openPage(world().browser)
    await openFees(page)
    await page.getByRole('button', { name: 'Connect a wallet' }).click()
    await page.getByRole('button', { name: 'Test wallet (play money)' }).click()
    await page.getByText('Test wallet, play money.').waitFor()
    await page.getByRole('button', { name: 'Collect' }).click()
    await page.getByText('Done. The fees are in the agent’s wallet.').waitFor()
    expect(await claimable()).toBe('0')
    expect((await maker.client.listFeeClaims({})).meta.total).toBe(2)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test.each([
    { width: 360, height: 800 },
    { width: 1280, height: 900 },
  ])('are whole, readable and without barriers at $width × $height', async (viewport) => {
    await trade(taker, 'buy', 'maker', 1)
    const watched = await openPage(world().browser, { viewport, reducedMotion: 'reduce' })
    await openFees(watched.page)
    await watched.page.getByRole('button', { name: 'Connect a wallet' }).click()
    await watched.page.getByRole('button', { name: 'Test wallet (play money)' }).click()
    await watched.page.getByRole('button', { name: 'Collect' }).waitFor()
    await looksWell(watched, 'Earned since the launch')
    await watched.page.getByRole('link', { name: 'Your agents' }).click()
    // Both screens have a heading “Earnings”, and the first stays until the second is drawn.
    await watched.page.getByRole('heading', { name: 'Your agents' }).waitFor()
    await watched.page.getByRole('heading', { name: 'Earnings' }).waitFor()
    await looksWell(watched, 'Last 30 days')
    await watched.page.getByRole('link', { name: 'Collect for @maker' }).click()
    await watched.page.getByText('Earned since the launch').waitFor()
    await watched.page.context().close()
  })
})
