import { createClient, isPending } from '@rookery/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NewAgent, registerAgent, verifyAgent } from './agents.js'
import { openPage, type WatchedPage } from './browser.js'
import { looksWell } from './looks-well.js'
import { describe, useWorld } from './world.js'

let agent: NewAgent
let other: NewAgent

const world = useWorld(async (url) => {
  agent = await registerAgent(url, { username: 'tern', displayName: 'Tern' })
  await verifyAgent(agent, 'tern_owner', 'Tamsin')
  other = await registerAgent(url, { username: 'skua' })
  await verifyAgent(other, 'skua_owner')
})

/** Logs in as a person would, and returns to the starting page. */
async function logIn(page: Page, path = '/owner'): Promise<void> {
  await page.goto(world().program.url + path)
  await page.getByRole('button', { name: 'Log in with the local network' }).click()
  await page.getByLabel('Handle').fill('tern_owner')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL((url) => url.pathname === path)
}

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

describe('an owner', () => {
  let watched: WatchedPage
  let page: Page
  beforeAll(async () => {
    watched = await openPage(world().browser)
    page = watched.page
    // A wallet as browser extensions provide it (EIP-1193), which has the test sign.
    await page.exposeFunction('signAsOwner', (raw: `0x${string}`) => agent.wallet.signMessage({ message: { raw } }))
    await page.addInitScript((address) => {
      const { signAsOwner } = window as unknown as { signAsOwner: (raw: string) => Promise<string> }
      const request = async ({ method, params = [] }: { method: string; params?: string[] }) =>
        method === 'personal_sign' ? signAsOwner(params[0] ?? '') : [address]
      Object.assign(window, { ethereum: { request } })
    }, agent.wallet.address)
  })
  afterAll(() => page.context().close())

  test('logs in with the local network and finds the agent there', async () => {
    await logIn(page)
    await page.getByText('Logged in as Tamsin @tern_owner').waitFor()
    await page.getByRole('link', { name: 'Tern' }).click()
    await page.getByText('Free to act within your rules.').waitFor()
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]))
    expect(kept).not.toMatch(/eyJ|rookery_session|Bearer/)
  })

  test('sees when the login cannot be renewed, and continues after a retry', async () => {
    await page.route('**/v1/auth/session/refresh', (route) => route.abort('connectionrefused'))
    await page.reload()
    await page.getByRole('alert').getByText('Rookery is not responding').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Log in/ }).count()).toBe(0)
    await page.unroute('**/v1/auth/session/refresh')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Free to act within your rules.').waitFor()
    // The browser itself reports the failed connection.
    expect(watched.complaints.splice(0).filter((line) => !line.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
  })

  test('stays logged in after a reload', async () => {
    await page.reload()
    await page.getByText('Free to act within your rules.').waitFor()
  })

  test('freezes the agent, which is refused at once, and unfreezes it', async () => {
    await page.getByLabel('Reason (optional)').fill('on holiday')
    await page.getByRole('button', { name: 'Freeze now' }).click()
    await page.getByText('on holiday').first().waitFor()
    expect(await refusalOf(agent.client.createTweet({ content: 'am I frozen?' }))).toBe('AGENT_FROZEN')
    await page.getByRole('button', { name: 'Unfreeze' }).click()
    await page.getByRole('button', { name: 'Freeze now' }).waitFor()
    expect(await refusalOf(agent.client.createTweet({ content: 'free again' }))).toBe('done')
  })

  test('is warned that the wallet asked for another account, and stops the move', async () => {
    const { address: walletAddress } = agent.wallet
    const { message } = await agent.client.createChallenge({ purpose: 'relink', walletAddress, username: 'tern' })
    const signature = await agent.wallet.signMessage({ message })
    await agent.client.startRelink({ message, signature, xUsername: 'tern_thief' })
    await page.reload()
    await looksWell(watched, 'asked to move it to @tern_thief')
    await page.getByRole('button', { name: 'Stop the move' }).click()
    await page.getByText('asked to move it to').waitFor({ state: 'detached' })
    expect(await agent.client.getRelink({ id: 'tern' })).toMatchObject({ status: 'cancelled', endedBy: 'owner' })
  })

  test('finds a text that tells the agent to launch', async () => {
    const prompt = page.getByRole('region', { name: 'the text for your agent' })
    await prompt.getByText(agent.wallet.address.toLowerCase()).waitFor()
    expect(await prompt.textContent()).toContain(`${world().program.url}/v1/share/quote?side=buy&agentId=tern&amount=1`)
    await page.getByRole('button', { name: 'Copy the text for your agent' }).waitFor()
  })

  test('is led by a notification to what it is about', async () => {
    const { data } = await agent.client.listTweets({ mode: 'new', username: 'tern' })
    await other.client.createTweet({ content: 'I disagree.', parentTweetId: data[0]?.id ?? '' })
    await page.reload()
    const line = page.getByRole('listitem').filter({ hasText: 'I disagree.' })
    await line.getByRole('link', { name: 'replied' }).click()
    await page.getByRole('heading', { name: /Post/ }).first().waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/feeds\//)
    await page.goto(`${world().program.url}/owner/agents/tern`)
    await page.getByText('Free to act within your rules.').waitFor()
  })

  test('is told in place which rule cannot be, and sees that the rules are saved', async () => {
    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.getByLabel('Maximum per trade (BNB)').fill('0,05')
    await page.getByRole('button', { name: 'Save the rules' }).click()
    const fault = page.getByRole('alert').filter({ hasText: 'Enter an amount of BNB such as 0.05' })
    await fault.waitFor()
    expect(await fault.evaluate((it) => it.getBoundingClientRect().top)).toBeGreaterThan(0)
    await page.getByLabel('Maximum per trade (BNB)').fill('')
    await page.getByLabel('Maximum posts per day').fill('90')
    await page.getByRole('button', { name: 'Save the rules' }).click()
    await page.getByText('Saved. They apply from its next request on.').waitFor()
    await page.getByLabel('Maximum posts per day').fill('')
    await page.getByText('Saved. They apply from its next request on.').waitFor({ state: 'detached' })
  })

  test('sets rules that are enforced', async () => {
    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.getByLabel('Posts per day without asking you').fill('0')
    await page.getByLabel('Follow').uncheck()
    await page.getByRole('button', { name: 'Save the rules' }).click()
    await expect.poll(async () => (await agent.client.getMyControls()).approvePostsAfter).toBe(0)
    expect(await refusalOf(agent.client.followAgent({ id: 'skua' }))).toBe('ACTION_NOT_ALLOWED')
    const { allowedActions } = await agent.client.getMyControls()
    expect(allowedActions).toContain('like')
  })

  test('decides about the agent’s requests', async () => {
    await agent.client.createTweet({ content: 'May I say this?' })
    await agent.client.createTweet({ content: 'And this nonsense?' })
    await page.getByRole('tab', { name: /Approvals/ }).click()
    const card = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    await card('May I say this?').getByRole('button', { name: 'Approve' }).click()
    await card('May I say this?').waitFor({ state: 'detached' })
    await page.getByText('Approved. It is published.').getByRole('link', { name: 'Show the post' }).waitFor()
    await page.getByRole('link', { name: 'Your agents' }).click()
    await page.getByText('1 request waits for you.').waitFor()
    await page.getByRole('link', { name: 'Decide' }).click()
    await card('And this nonsense?').getByText('@tern').waitFor()
    await card('And this nonsense?').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Rejected.', { exact: true }).waitFor()
    await page.getByText('Nothing is waiting for you').waitFor()
    await page.goto(`${world().program.url}/owner/agents/tern`)
    const { data } = await other.client.listTweets({ mode: 'new', username: 'tern' })
    expect(data.map(({ content }) => content)).toEqual(['May I say this?', 'free again'])
  })

  test('replaces the key with a signature from the wallet', async () => {
    await page.getByRole('tab', { name: 'Key' }).click()
    await page.getByRole('button', { name: 'Get the text to sign' }).click()
    await page.getByRole('button', { name: 'Sign with Browser wallet' }).click()
    const apiKey = (await page.getByRole('region', { name: 'the new key' }).textContent()) ?? ''
    expect(apiKey).toMatch(/^sk_/)
    expect(await refusalOf(agent.client.getMe())).toBe('INVALID_API_KEY')
    const client = createClient({ baseUrl: world().program.url, apiKey })
    expect((await client.getMe()).username).toBe('tern')
    agent = { ...agent, client }
  })

  test('reads the log and exports it', async () => {
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByText('Replaced the key of the agent').waitFor()
    await page.getByText('refused AGENT_FROZEN').waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    expect((await downloading).suggestedFilename()).toBe('tern-audit.csv')
  })

  test('sees no one else’s agent', async () => {
    await page.goto(`${world().program.url}/owner/agents/skua`)
    await page.getByText('Only this agent’s owner can do that.').waitFor()
    // The browser itself reports the refusal.
    expect(watched.complaints.splice(0).filter((line) => !line.includes('403'))).toEqual([])
  })

  test('logs out', async () => {
    await page.goto(`${world().program.url}/owner`)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Log in with the local network' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Log in with the local network' }).waitFor()
    // The browser itself reports the refusal of what was still on its way.
    expect(watched.complaints.filter((line) => !line.includes('401'))).toEqual([])
  })
})

describe('a login', () => {
  test('that started in another browser is not completed here', async () => {
    const anyone = createClient({ baseUrl: world().program.url })
    const { url } = await anyone.startLogin()
    const { page } = await openPage(world().browser)
    await page.goto(`${url}&handle=skua_owner`)
    await page.getByText('This login attempt is unknown or has expired.').waitFor()
    await page.getByRole('link', { name: 'Start again' }).click()
    await page.getByRole('button', { name: 'Log in with the local network' }).waitFor()
    await page.context().close()
  })
})

describe.each([
  { width: 360, height: 800 },
  { width: 1280, height: 900 },
])('at $width × $height', (viewport) => {
  let watched: WatchedPage
  beforeAll(async () => {
    watched = await openPage(world().browser, { viewport, reducedMotion: 'reduce' })
    await watched.page.goto(`${world().program.url}/owner`)
    await looksWell(watched, 'Log in to watch over your agents')
    await logIn(watched.page)
    const waiting = await agent.client.createTweet({ content: `${'W'.repeat(200)} ${viewport.width}` })
    expect(isPending(waiting)).toBe(true)
  })
  afterAll(() => watched.page.context().close())

  test.each([
    ['/owner', 'Logged in as'],
    ['/owner/agents/tern', 'Last 7 days'],
    ['/owner/agents/tern?view=rules', 'What it may do'],
    ['/owner/agents/tern?view=approvals', 'Approve'],
    ['/owner/approvals', 'the oldest first'],
    ['/owner/agents/tern?view=log', 'Done by'],
    ['/owner/agents/tern?view=key', 'Replace the key'],
  ])('%s is whole, readable and without barriers, light and dark', async (path, landmark) => {
    await watched.page.goto(world().program.url + path)
    await looksWell(watched, landmark)
  })
})
