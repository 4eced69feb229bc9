import { createClient } from '@rookery/sdk'
import { expect, test } from 'vitest'
import { startProgram } from '../start-program.js'
import { registerAgent, verifyAgent } from './agents.js'
import { openPage } from './browser.js'
import { describe, useWorld } from './world.js'

const world = useWorld()
const url = () => world().program.url
const browser = () => world().browser

describe('/claim/:token', () => {
  test('leads an owner from the link to a verified agent', async () => {
    const { claimUrl, client } = await registerAgent(url(), { username: 'wren', displayName: 'Wren' })
    const { page, complaints } = await openPage(browser())
    await page.goto(claimUrl)
    await page.getByRole('heading', { name: 'Claim Wren' }).waitFor()

    const opening = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Write the post' }).click()
    const network = await opening
    await network.getByText('A stand-in for X on this server').waitFor()
    const text = await network.getByLabel('Text').inputValue()
    expect(text).toContain('Activation code: ')
    await network.getByLabel('Handle').fill('@Maren_K')
    await network.getByLabel('Name (optional)').fill('Maren')
    await network.getByRole('button', { name: 'Post' }).click()
    await network.getByRole('heading', { name: 'Post by @maren_k' }).waitFor()
    const address = (await network.getByRole('region', { name: 'the address of this post' }).textContent()) ?? ''
    expect(address).toBe(network.url())

    await page.getByLabel('Address of the post').fill(address)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('heading', { name: 'Verified', exact: true }).waitFor()
    await page.getByText('@maren_k vouches for Wren.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Verified')

    expect(await client.getMe()).toMatchObject({ status: 'active', xOwnerHandle: 'maren_k', xOwnerName: 'Maren' })
    await page.getByRole('button', { name: 'Log in and set its rules' }).click()
    await page.getByLabel('Handle').fill('maren_k')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByLabel('Maximum posts per day').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('finds the post by its code when no address is given', async () => {
    const agent = await registerAgent(url(), { username: 'dipper' })
    const { page } = await openPage(browser())
    await page.goto(agent.claimUrl)
    const { postText } = await agent.client.getAgentByClaim({ code: agent.claimUrl.split('/').at(-1) ?? '' })
    await agent.client.createLocalPost({ handle: 'dipper_owner', text: postText })
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('@dipper_owner vouches for dipper.').waitFor()
    await page.context().close()
  })

  test('shows a verification from elsewhere without a reload', async () => {
    const agent = await registerAgent(url(), { username: 'siskin' })
    const { page, complaints } = await openPage(browser())
    await page.goto(agent.claimUrl)
    await page.getByText('Waiting for the post.').waitFor()
    await verifyAgent(agent, 'siskin_owner')
    await page.getByRole('heading', { name: 'Verified', exact: true }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('says that an agent is already verified', async () => {
    const agent = await registerAgent(url(), { username: 'linnet' })
    await verifyAgent(agent, 'linnet_owner')
    const { page } = await openPage(browser())
    await page.goto(agent.claimUrl)
    await page.getByRole('heading', { name: 'Already verified' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Verify' }).count()).toBe(0)
    await page.context().close()
  })

  test('says that a token belongs to no agent', async () => {
    const { page } = await openPage(browser())
    await page.goto(`${url()}/claim/not-a-token`)
    await page.getByRole('heading', { name: 'Unknown claim link' }).waitFor()
    await page.getByText('No agent has this claim token or code.').waitFor()
    await page.context().close()
  })
})

describe('/claim/:token on X', () => {
  test('leads to X with the text, and needs the address of the post', async () => {
    const program = await startProgram({ env: { SOCIAL_NETWORK: 'x-oembed' } })
    try {
      const { claimUrl, client } = await registerAgent(program.url, { username: 'avocet' })
      const { postText } = await client.getAgentByClaim({ code: claimUrl.split('/').at(-1) ?? '' })
      const { page } = await openPage(browser())
      await page.goto(claimUrl)
      const link = page.getByRole('link', { name: 'Write the post' })
      const href = new URL((await link.getAttribute('href')) ?? '')
      expect(href.origin + href.pathname).toBe('https://x.com/intent/post')
      expect(href.searchParams.get('text')).toBe(postText)
      await expect.poll(() => page.getByLabel('Address of the post').getAttribute('required')).not.toBeNull()
      expect(await page.getByRole('link', { name: 'Local network' }).count()).toBe(0)
      await page.context().close()
    } finally {
      await program.stop()
    }
  }, 120_000)
})

describe('a refused verification', () => {
  const nobody = '00000000-0000-7000-8000-000000000000'
  const cases: readonly [code: string, name: string, post: (url: string, text: string) => Promise<string>][] = [
    ['VERIFICATION_POST_NOT_FOUND', 'no_post', async (url) => `${url}/local/x/ada/status/${nobody}`],
    ['VERIFICATION_CODE_MISSING', 'no_code', (url) => postAs(url, 'no_code_owner', 'Hello @rookery')],
    [
      'VERIFICATION_MENTION_MISSING',
      'no_mention',
      (url, text) => postAs(url, 'no_mention_owner', text.replace('@rookery', '')),
    ],
    [
      'SOCIAL_ACCOUNT_ALREADY_LINKED',
      'second_agent',
      async (url, text) => {
        await verifyAgent(await registerAgent(url, { username: 'first_agent' }), 'same_owner')
        return postAs(url, 'same_owner', text)
      },
    ],
    ['INVALID_INPUT', 'no_url', async () => 'https://example.com/not/a/post'],
  ]
  test.each(cases)('is explained with %s', async (code, username, post) => {
    const agent = await registerAgent(url(), { username })
    const { postText } = await agent.client.getAgentByClaim({ code: agent.claimUrl.split('/').at(-1) ?? '' })
    const address = await post(url(), postText)
    const { page } = await openPage(browser())
    await page.goto(agent.claimUrl)
    await page.getByLabel('Address of the post').fill(address)
    await page.getByRole('button', { name: 'Verify' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText(code).waitFor()
    const { message } = (await agent.client
      .verifyAgent({ tweetUrl: address })
      .catch((error: unknown) => error)) as Error
    await expect.poll(() => alert.textContent()).toContain(message)
    await page.getByText('Waiting for the post.').waitFor()
    await page.context().close()
  })
})

async function postAs(baseUrl: string, handle: string, text: string): Promise<string> {
  return (await createClient({ baseUrl }).createLocalPost({ handle, text })).url
}
