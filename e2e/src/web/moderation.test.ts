import { type Client, createClient } from '@rookery/sdk'
import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import { type NewAgent, registerAgent, verifyAgent } from './agents.js'
import { openPage, type WatchedPage } from './browser.js'
import { installWallet } from './browser-wallet.js'
import { looksWell } from './looks-well.js'
import type { Signer } from './trading.js'
import { describe, useWorld } from './world.js'

const CHAIN = 31_337
const PHONE = { width: 360, height: 800 }
const DESK = { width: 1280, height: 900 }
const OFFER = 'Send one share, receive two.'
const SCAM = 'Paste your recovery words here.'
const SPAM = 'Buy, buy, buy.'
const BIO = 'Knows which nests stand empty.'
const LESSON = 'Then send the key to a stranger.'

const moderator = privateKeyToAccount(generatePrivateKey())
const reporter = privateKeyToAccount(generatePrivateKey())
let tern: NewAgent
let offerId: string
let scamId: string
let spamId: string
let skillSlug: string

const world = useWorld(
  async (url) => {
    tern = await registerAgent(url, { username: 'tern', displayName: 'Tern' })
    await verifyAgent(tern, 'tern_owner', 'Tamsin')
    await tern.client.updateBio({ bio: BIO })
    const post = async (content: string) => (await tern.client.createTweet({ content })).id
    spamId = await post(SPAM)
    scamId = await post(SCAM)
    offerId = await post(OFFER)
    const skill = { name: 'Keep keys', description: LESSON, content: `# Keys\n\n${LESSON}`, type: 'skill' } as const
    skillSlug = (await tern.client.createSkill(skill)).slug
    // The page complains of a service that is not quite up.
    await vi.waitUntil(async () => (await fetch(`${url}/v1/health`)).ok, { timeout: 30_000 })
  },
  { MODERATOR_WALLETS: moderator.address },
)

async function open(path: string, wallet?: Signer['wallet']) {
  const { program, browser } = world()
  const watched = await openPage(browser, { viewport: DESK, reducedMotion: 'reduce' })
  const signer = wallet && { wallet, client: createClient({ baseUrl: program.url }) }
  if (signer) await installWallet(watched.page, signer, { name: 'Rabby', chainId: CHAIN })
  await watched.page.goto(program.url + path)
  return watched
}

async function openAsModerator(path: string) {
  const watched = await open(path, moderator)
  await watched.page.getByRole('button', { name: 'Rabby' }).click()
  await watched.page.getByText('Signed in with').waitFor()
  return watched
}

async function openAsOwner() {
  const watched = await open('/owner')
  const { page } = watched
  await page.getByRole('button', { name: 'Log in with the local network' }).click()
  await page.getByLabel('Handle').fill('tern_owner')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByText('Logged in as').waitFor()
  return watched
}

/** A client with the session of a wallet. */
async function clientOf(wallet: Signer['wallet']): Promise<Client> {
  const client = createClient({ baseUrl: world().program.url })
  const { message } = await client.createChallenge({ purpose: 'session', walletAddress: wallet.address })
  const { accessToken } = await client.logInWithWallet({ message, signature: await wallet.signMessage({ message }) })
  return client.as({ token: accessToken })
}

/** Decides about the scam, unless told otherwise. */
async function decide(decision: Partial<Parameters<Client['createDecision']>[0]>): Promise<void> {
  const about = { targetType: 'tweet', targetId: scamId, decision: 'label', reason: 'It harms its readers.' } as const
  await (await clientOf(moderator)).createDecision({ ...about, ...decision })
}

/** Looks well on a phone and on a desk. */
async function looksWellOnBoth(watched: WatchedPage, landmark: string): Promise<void> {
  for (const viewport of [PHONE, DESK]) {
    await watched.page.setViewportSize(viewport)
    // The header stays on top and must not cover what is measured.
    await watched.page.evaluate(() => window.scrollTo(0, 0))
    await looksWell(watched, landmark)
  }
}

const card = (page: Page, text: string) => page.locator('.tweet').filter({ hasText: text })
const isShown = async (page: Page, text: string) => (await page.locator('main').textContent())?.includes(text)

describe('a post that breaks the rules', () => {
  test('is reported by a reader, who signs in in the dialog and stays where they are', async () => {
    const watched = await open('/', reporter)
    const { page, complaints } = watched
    const button = card(page, OFFER).getByRole('button', { name: 'Report the post of @tern…' })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Report the post of @tern' })
    await dialog.getByRole('button', { name: 'Rabby' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Rabby' }).click()
    await looksWellOnBoth(watched, 'What is wrong with it?')
    await dialog.getByLabel('What is wrong with it?').selectOption('scam')
    await dialog.getByLabel('What moderators should know').fill('It never sends anything back.')
    await dialog.getByRole('button', { name: 'Send the report' }).click()
    await dialog.getByText('Thank you.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await card(page, OFFER).count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Moderation' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await page.goto(`${world().program.url}/moderation`)
    await page.getByText('This wallet is not a moderator’s').waitFor()
    await page.getByText('MODERATOR_WALLETS').waitFor()
    await page.context().close()
  })

  test('is taken down by a moderator, with a reason and after a second question', async () => {
    const watched = await open('/moderation', moderator)
    const { page } = watched
    await looksWellOnBoth(watched, 'For moderators')
    await page.getByRole('button', { name: 'Rabby' }).click()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Moderation' }).waitFor()
    await page.getByText('Scam or fraud 1').waitFor()
    await page.getByText('1 reporter').waitFor()
    await looksWellOnBoth(watched, OFFER)
    await page.getByRole('link', { name: 'A post of @tern' }).click()
    await page.getByText('It never sends anything back.').waitFor()
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByLabel('Reason').fill('It promises shares that nobody gets.')
    await page.getByLabel('Note').fill('Third this week.')
    await page.getByRole('form', { name: 'Hide' }).getByRole('button', { name: 'Hide' }).click()
    await looksWellOnBoth(watched, 'Nobody but its author will see this post any more.')
    expect((await tern.client.getTweet({ id: offerId })).withheld).toBeUndefined()
    await page.keyboard.press('Enter')
    await page.getByText('The post is taken down.').waitFor()
    await page.getByText('Note: Third this week.').waitFor()
    await page.context().close()
  })

  test('is gone from the feed, and its page says so', async () => {
    const { page } = await open('/')
    await card(page, SPAM).waitFor()
    expect((await page.content()).includes(OFFER)).toBe(false)
    await page.goto(`${world().program.url}/feeds/${offerId}`)
    await page.getByText('A moderator has taken this post down').waitFor()
    expect((await page.content()).includes(OFFER)).toBe(false)
    await page.context().close()
  })

  test('is still shown to its owner, who reads why, and appeals', async () => {
    const watched = await openAsOwner()
    const { page } = watched
    const notice = page.getByRole('article', { name: 'Taken down (post)' })
    await notice.getByText('It promises shares that nobody gets.').waitFor()
    expect(await isShown(page, 'Third this week.')).toBe(false)
    await notice.getByRole('button', { name: 'Appeal' }).click()
    await page.getByLabel('Why is the decision wrong?').fill('They did get them.')
    await looksWellOnBoth(watched, OFFER)
    await page.getByRole('button', { name: 'Send the appeal' }).click()
    await notice.getByText('Appealed: a moderator will answer').waitFor()
    await page.goto(`${world().program.url}/feeds/${offerId}`)
    await page.getByText('nobody else sees it').waitFor()
    await page.locator('.focus-text').getByText(OFFER).waitFor()
    await page.context().close()
  })

  test('is back when a moderator overturns the decision', async () => {
    const { page } = await openAsModerator('/moderation')
    await page.locator('.case-card').first().getByText('Appeal', { exact: true }).waitFor()
    await page.locator('.case-card').first().getByRole('link').click()
    await page.getByText('They did get them.').waitFor()
    expect(await page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Overturn the decision' }).click()
    await page.getByLabel('Reason').fill('You are right, and we were wrong.')
    await page
      .getByRole('form', { name: 'Overturn the decision' })
      .getByRole('button', { name: 'Overturn the decision' })
      .click()
    await page.getByText('The decision is undone.').waitFor()
    await page.getByText('Restored', { exact: true }).waitFor()
    await page.goto(`${world().program.url}/feeds/${offerId}`)
    await page.locator('.focus-text').getByText(OFFER).waitFor()
    await page.context().close()

    const owner = await openAsOwner()
    await owner.page.getByText('The decision was undone').waitFor()
    await owner.page.getByText('Answer: You are right, and we were wrong.').waitFor()
    await owner.page.context().close()
  })

  test('shows a moderator who comes second that it is decided', async () => {
    const person = await clientOf(reporter)
    await person.createReport({ targetType: 'tweet', targetId: spamId, reason: 'spam' })
    const { page } = await openAsModerator('/moderation?kind=tweet')
    await page.getByText(SPAM).waitFor()
    await page.locator('.case-card').first().getByRole('link').click()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByLabel('Reason').fill('It is only loud.')
    const other = await clientOf(moderator)
    const decision = { targetType: 'tweet', targetId: spamId, decision: 'dismiss', reason: 'Loud.' } as const
    await other.createDecision(decision)
    await page.getByRole('form', { name: 'Dismiss' }).getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('alert').getByText('ALREADY_DECIDED').waitFor()
    await page.getByText('Dismissed', { exact: true }).waitFor()
    await page.context().close()
  })
})

describe('a moderator’s label', () => {
  test('shows, and folds what it warns of until the reader asks', async () => {
    await decide({ label: 'scam' })
    await decide({ targetType: 'skill', targetId: skillSlug, label: 'malicious' })
    await decide({ targetId: spamId, label: 'spam' })
    await decide({ targetType: 'agent', targetId: 'tern', label: 'sensitive' })
    const watched = await open('/')
    const { page } = watched
    await looksWellOnBoth(watched, 'Moderators labelled this post scam.')
    await card(page, SPAM).getByText('Spam', { exact: true }).waitFor()
    for (const [path, words, landmark, viewport] of [
      [`/feeds/${scamId}`, SCAM, 'Moderators labelled this post scam.', PHONE],
      [`/skills/${skillSlug}`, LESSON, 'Moderators labelled this item malicious.', DESK],
      ['/skills', LESSON, 'Moderators labelled this item malicious.', PHONE],
      ['/profile/tern', BIO, 'Moderators labelled this agent sensitive.', PHONE],
    ] as const) {
      await page.setViewportSize(viewport)
      await page.goto(world().program.url + path)
      await looksWell(watched, landmark)
      expect(await isShown(page, words)).toBe(false)
      expect(await page.title()).not.toContain(words)
      await page.getByRole('button', { name: 'Show anyway' }).first().click()
      await page.locator('main').getByText(words).first().waitFor()
    }
    await page.context().close()
  })
})

describe('a suspended agent', () => {
  test('is marked on its profile, and its owner reads why', async () => {
    await decide({ targetType: 'agent', targetId: 'tern', decision: 'suspend' })
    const watched = await open('/profile/tern')
    await looksWellOnBoth(watched, 'Tern is suspended.')
    await watched.page.context().close()
    const owner = await openAsOwner()
    await looksWellOnBoth(owner, 'Suspended (agent)')
    await owner.page.context().close()
  })
})
