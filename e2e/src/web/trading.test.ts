import { createClient } from '@rookery/sdk'
import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { NewAgent } from './agents.js'
import { openPage } from './browser.js'
import { installWallet } from './browser-wallet.js'
import { enterMarket, settled, trade } from './trading.js'
import { describe, useWorld } from './world.js'

let maker: NewAgent
let quiet: NewAgent
let taker: NewAgent
const TAKER_KEY = generatePrivateKey()
const world = useWorld(async (url) => {
  maker = await enterMarket(url, { username: 'maker', displayName: 'Maker' })
  quiet = await enterMarket(url, { username: 'quiet', displayName: 'Quiet' })
  taker = await enterMarket(url, { username: 'taker', wallet: privateKeyToAccount(TAKER_KEY) })
})
const CHAIN = 31_337

const ticket = (page: Page) => page.locator('.ticket')
const supply = async () =>
  (await createClient({ baseUrl: world().program.url }).getAgent({ identifier: 'maker' })).totalSupply

describe('shares of an agent', () => {
  test('are launched by the owner’s wallet, bought and sold by others, and the page keeps up', async () => {
    const { program, browser } = world()
    const owner = await openPage(browser)
    await installWallet(owner.page, maker, { name: 'Rabby', chainId: CHAIN })
    await owner.page.goto(`${program.url}/profile/maker`)
    await ticket(owner.page).getByText('Not launched yet.').waitFor()
    await ticket(owner.page).getByRole('button', { name: 'Connect a wallet' }).click()
    await ticket(owner.page).getByRole('button', { name: 'Rabby' }).click()
    await ticket(owner.page).getByText('This is your agent.').waitFor()
    await ticket(owner.page).getByLabel('Shares').fill('3')
    await ticket(owner.page).getByText('0.0003437 BNB').first().waitFor()
    await ticket(owner.page).getByRole('button', { name: 'Launch 3 shares' }).click()
    await ticket(owner.page).getByText('Done. The shares have moved.').waitFor()
    await owner.page.getByRole('heading', { name: 'Trade', exact: true }).waitFor()
    expect(await supply()).toBe(3)

    await maker.client.createTweet({ content: 'The first words are for everyone.' })
    await maker.client.createTweet({ content: 'These are for those who hold a share.', visibility: 'private' })
    const visitor = await openPage(browser)
    // The browser’s test wallet belongs to an agent, so that its key can read what holders may read.
    await visitor.page.addInitScript((key) => localStorage.setItem('test-wallet', key), TAKER_KEY)
    await visitor.page.goto(`${program.url}/profile/maker`)
    await visitor.page.locator('.chart-canvas canvas').first().waitFor()
    const legend = visitor.page.locator('.chart-legend')
    await expect.poll(() => legend.textContent()).toContain('C 0.0005625')
    await visitor.page.getByText('Some posts may be for holders only.').click()
    await visitor.page.getByLabel('API key').fill(taker.apiKey)
    await visitor.page.getByRole('button', { name: 'Read as this agent' }).click()
    await visitor.page.getByText('Reading as @taker').waitFor()
    await visitor.page.getByText('The first words are for everyone.').waitFor()
    await expect.poll(() => visitor.page.getByText('These are for those who hold a share.').count()).toBe(0)

    await ticket(visitor.page).getByText('Test wallet, play money.').waitFor()
    await ticket(visitor.page)
      .locator('.wallet-balance')
      .getByText(/^10 BNB/)
      .waitFor()
    await ticket(visitor.page).getByRole('button', { name: '2', exact: true }).click()
    await ticket(visitor.page).getByText('+177.77 %').waitFor()
    await expect.poll(() => ticket(visitor.page).locator('.quote-age').textContent()).toMatch(/New quote in \d+ s/)
    await buy(visitor.page, '2 shares')
    await ticket(visitor.page).getByText('Done. The shares have moved.').waitFor()
    await expect.poll(() => ticket(visitor.page).locator('.trade-step-done').count()).toBe(5)
    await visitor.page.getByText('These are for those who hold a share.').waitFor()

    // The owner’s page shows it too, without a reload.
    await owner.page.getByRole('tab', { name: 'Trades' }).click()
    await owner.page.locator('.trade-table tbody tr').first().getByText('Bought 2').waitFor()
    await owner.page.locator('.figure-main').getByText('0.001562').waitFor()
    // The pointer must not rest on the chart: the legend tells of the time under it.
    await owner.page.mouse.move(0, 0)
    await owner.page.locator('.chart-legend', { hasText: 'C 0.001562' }).waitFor()

    await ticket(visitor.page).getByRole('button', { name: 'New trade' }).click()
    await ticket(visitor.page).getByRole('tab', { name: 'Sell' }).click()
    await ticket(visitor.page).getByText('You hold 2 shares.').waitFor()
    await ticket(visitor.page).getByRole('button', { name: 'All' }).click()
    await ticket(visitor.page).getByText('You receive').waitFor()
    await ticket(visitor.page).getByRole('button', { name: 'Sell 2 shares' }).click()
    await ticket(visitor.page).getByText('Done. The shares have moved.').waitFor()
    await expect.poll(supply).toBe(3)
    // After selling the last share, the agent can no longer read private posts.
    await expect.poll(() => visitor.page.getByText('These are for those who hold a share.').count()).toBe(0)
    expect([...owner.complaints, ...visitor.complaints]).toEqual([])
    await owner.page.context().close()
    await visitor.page.context().close()
  }, 120_000)

  test('are given to another wallet', async () => {
    const { program, browser } = world()
    const { page, complaints } = await openPage(browser)
    await installWallet(page, maker, { name: 'Rabby', chainId: CHAIN })
    await page.goto(`${program.url}/profile/maker`)
    await connect(page, 'Rabby')
    await ticket(page).getByRole('tab', { name: 'Transfer' }).click()
    await ticket(page).getByLabel('To an agent or a wallet').fill('0x12')
    await ticket(page).getByText('or an address: 0x followed by 40 hex digits').waitFor()
    await ticket(page).getByLabel('To an agent or a wallet').fill(quiet.wallet.address)
    await ticket(page).getByText('To the wallet of Quiet').waitFor()
    await ticket(page).getByRole('button', { name: 'Transfer 1 share' }).click()
    await ticket(page).getByRole('button', { name: 'Give 1 share away' }).click()
    await ticket(page).getByText('Done. The shares have moved.').waitFor()
    await expect.poll(() => ticket(page).locator('.trade-summary').textContent()).toContain('to @quiet, 0x')
    await page.getByRole('tab', { name: /^Holders/ }).click()
    await page.getByRole('tabpanel').last().getByText('@quiet').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe('the ticket', () => {
  test('explains a rejection by the wallet, and continues from there', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    const wallet = await installWallet(page, quiet, { name: 'Rabby', chainId: CHAIN })
    await page.goto(`${program.url}/profile/maker`)
    wallet.rejectNext()
    await connect(page, 'Rabby')
    await ticket(page).getByText('You declined it in the wallet.').waitFor()
    await ticket(page).getByRole('button', { name: 'Rabby' }).click()
    await ticket(page).getByRole('button', { name: 'Buy 1 share' }).waitFor()
    wallet.rejectNext()
    await buy(page, '1 share')
    await ticket(page).getByText('Nothing was sent and nothing was paid.').waitFor()
    await ticket(page).getByRole('button', { name: 'Back to the quote' }).click()
    await ticket(page).getByRole('button', { name: 'Buy 1 share' }).waitFor()
    await page.context().close()
  })

  test('notices another network and switches', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    const wallet = await installWallet(page, quiet, { name: 'Rabby', chainId: 1 })
    await page.goto(`${program.url}/profile/maker`)
    await connect(page, 'Rabby')
    await ticket(page).getByText('Rabby is on chain 1.').waitFor()
    await ticket(page)
      .getByRole('button', { name: /^Switch to/ })
      .click()
    await ticket(page).getByRole('button', { name: 'Buy 1 share' }).waitFor()
    expect(wallet.calls).toContain('wallet_addEthereumChain')
    // After a reload, a wallet that trusts the page is reconnected without asking.
    await page.reload()
    await ticket(page).getByRole('button', { name: 'Disconnect' }).click()
    await ticket(page).getByRole('button', { name: 'Connect a wallet' }).waitFor()
    await page.context().close()
  })

  test('says what a wallet cannot do', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.goto(`${program.url}/profile/maker`)
    await connect(page, 'Test wallet (play money)')
    await ticket(page).getByRole('tab', { name: 'Sell' }).click()
    await ticket(page).getByText('You hold no shares of Maker to sell.').waitFor()
    await ticket(page).getByRole('tab', { name: 'Buy' }).click()
    await ticket(page).getByLabel('Shares').fill('100')
    await ticket(page).getByText('The wallet has too little BNB.').waitFor()
    await ticket(page).locator('button[aria-disabled="true"]', { hasText: 'Buy 100 shares' }).waitFor()
    await page.context().close()
  })

  test('explains a price that moved past the limit', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.goto(`${program.url}/profile/maker`)
    await connect(page, 'Test wallet (play money)')
    await ticket(page).locator('button[aria-disabled="false"]', { hasText: 'Buy 1 share' }).waitFor()
    // The page keeps its quote while another wallet trades first.
    const { trades } = { trades: (await maker.client.listTrades({})).meta.total }
    await page.route('**/v1/share/quote?*', (route) => route.abort())
    await trade(quiet, 'buy', 'maker', 5)
    await settled(program.url, trades + 1)
    await buy(page, '1 share')
    await ticket(page).getByText('The chain reverted it.').waitFor()
    await page.context().close()
  })
})

async function connect(page: Page, name: string): Promise<void> {
  await ticket(page).getByRole('button', { name: 'Connect a wallet' }).click()
  await ticket(page).getByRole('button', { name }).click()
}

/** Buys shares of a young agent, whose price each purchase moves by more than a tenth. */
async function buy(page: Page, shares: string): Promise<void> {
  await ticket(page)
    .locator('button[aria-disabled="false"]', { hasText: `Buy ${shares}` })
    .click()
  await ticket(page)
    .getByRole('button', { name: `Buy ${shares} all the same` })
    .click()
}
