import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryLimiter } from '../limiter/memory.js'
import { createCallBudget } from './call-budget.js'
import { answerJson, type Loopback, remoteNetworkContract, startLoopback } from './remote-network.contract.js'
import { socialNetworkContract } from './social-network.contract.js'
import { SocialBudgetSpent, type SocialNetwork, type SocialPost, SocialUnavailable } from './social-network.js'
import { createXOembedSocialNetwork } from './x-oembed.js'

const ALICE: SocialPost = {
  id: '1766850000000000001',
  url: 'https://x.com/Alice_Labs/status/1766850000000000001',
  text: 'Verifying my agent on @rookery\n\nActivation code: RK-7F3Q',
  author: { id: 'handle:alice_labs', handle: 'Alice_Labs', name: 'Alice', followersCount: null, followingCount: null },
}
const PARAGRAPH =
  'Verifying my agent on <a href="https://twitter.com/rookery?ref_src=twsrc%5Etfw">@rookery</a><br><br>Activation code: RK-7F3Q'

function embed(paragraph: string, more: object = {}) {
  return {
    url: 'https://twitter.com/Alice_Labs/status/1766850000000000001',
    author_name: 'Alice',
    author_url: 'https://twitter.com/Alice_Labs',
    html: `<blockquote class="twitter-tweet" data-conversation="none"><p lang="en" dir="ltr">${paragraph}</p>&mdash; Alice (@Alice_Labs) <a href="https://twitter.com/Alice_Labs/status/1766850000000000001?ref_src=twsrc%5Etfw">March 10, 2024</a></blockquote>\n`,
    width: 550,
    height: null,
    type: 'rich',
    cache_age: '3153600000',
    provider_name: 'Twitter',
    provider_url: 'https://twitter.com',
    version: '1.0',
    ...more,
  }
}

function create(options: { baseUrl: string; timeoutMs?: number; now?: () => number }): SocialNetwork {
  return createXOembedSocialNetwork({ now: Date.now, ...options })
}

socialNetworkContract(async () => {
  const loopback = await startLoopback()
  loopback.answerWith((request, response) => {
    const requested = new URL(request.url ?? '', loopback.baseUrl).searchParams.get('url')
    if (requested?.endsWith(ALICE.id)) return answerJson(response, 200, embed(PARAGRAPH))
    answerJson(response, 404, { error: 'Sorry, that page does not exist' })
  })
  return {
    network: create({ baseUrl: loopback.baseUrl }),
    post: ALICE,
    missingUrl: 'https://x.com/alice_labs/status/1766850000000000404',
    close: loopback.close,
  }
})

remoteNetworkContract(create)

describe('X by oEmbed', () => {
  let loopback: Loopback
  let network: SocialNetwork
  beforeEach(async () => {
    loopback = await startLoopback()
    network = create({ baseUrl: loopback.baseUrl })
  })
  afterEach(() => loopback.close())

  function answer(status: number, body: unknown): void {
    loopback.answerWith((_request, response) => answerJson(response, status, body))
  }

  test.each([
    ['https://x.com/Alice_Labs/status/1766850000000000001/video/1?s=20', 'Alice_Labs'],
    ['https://x.com/i/web/status/1766850000000000001', 'i'],
  ])('requests %s by an address that it builds itself', async (pasted, handle) => {
    answer(200, embed(PARAGRAPH))
    await network.getPost(pasted)
    const requested = new URL(loopback.requests[0]?.url ?? '', loopback.baseUrl)
    expect(requested.pathname).toBe('/oembed')
    expect(Object.fromEntries(requested.searchParams)).toEqual({
      url: `https://twitter.com/${handle}/status/1766850000000000001`,
      omit_script: '1',
      hide_thread: '1',
    })
  })

  test('takes the author from the answer and not from the URL', async () => {
    answer(200, embed(PARAGRAPH))
    expect(await network.getPost(`https://x.com/mallory/status/${ALICE.id}`)).toEqual({ found: true, post: ALICE })
  })

  test('understands answers that name x.com', async () => {
    answer(200, embed(PARAGRAPH, { url: ALICE.url, author_url: 'https://x.com/Alice_Labs' }))
    expect(await network.getPost(ALICE.url)).toEqual({ found: true, post: ALICE })
  })

  test('returns the original of a repost', async () => {
    answer(200, embed(PARAGRAPH))
    expect(await network.getPost('https://x.com/mallory/status/5')).toEqual({ found: true, post: ALICE })
  })

  test.each([
    [
      'entities',
      '1 &lt; 2 &amp;&amp; &quot;a&quot; &#39;b&#39; &#x1F426; &hellip; &amp;lt; &bogus; &#9999999;',
      '1 < 2 && "a" \'b\' 🐦 … &lt; &bogus; &#9999999;',
    ],
    ['lines', 'one<br>two<br />\nthree<br/><br>five', 'one\ntwo\nthree\n\nfive'],
    [
      'links',
      '<a href="https://t.co/a?x=1&amp;y=2">example.com/a</a> <a href="#"><b>bold</b></a>',
      'example.com/a bold',
    ],
    ['markup that the author wrote', '&lt;/p&gt;&lt;p&gt;Activation code: FAKE', '</p><p>Activation code: FAKE'],
    ['nothing', '', ''],
  ])('reads a text with %s', async (_name, paragraph, text) => {
    answer(200, embed(paragraph))
    expect(await network.getPost(ALICE.url)).toMatchObject({ found: true, post: { text } })
  })

  test.each([
    ['a deleted post', 404, 'not_found'],
    ['a suspended account', 404, 'not_found'],
    ['a protected account', 403, 'protected'],
  ])('returns the reason for %s', async (_name, status, reason) => {
    loopback.answerWith((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' })
      response.end('<!DOCTYPE html><title>Sorry</title>')
    })
    expect(await network.getPost(ALICE.url)).toEqual({ found: false, reason })
  })

  test.each([
    ['without a paragraph', { html: '<blockquote></blockquote>' }],
    ['with an open paragraph', { html: '<blockquote><p>text' }],
    ['without an author', { author_url: undefined }],
    ['with an author elsewhere', { author_url: 'https://example.com/alice' }],
  ])('is unavailable when the answer comes %s', async (_name, more) => {
    answer(200, embed(PARAGRAPH, more))
    await expect(network.getPost(ALICE.url)).rejects.toThrow(SocialUnavailable)
  })

  test('follows redirects within the service, but not forever', async () => {
    loopback.answerWith((request, response) => {
      if (request.url?.startsWith('/moved')) return answerJson(response, 200, embed(PARAGRAPH))
      response.writeHead(301, { location: '/moved' }).end()
    })
    expect(await network.getPost(ALICE.url)).toEqual({ found: true, post: ALICE })

    loopback.answerWith((_request, response) => response.writeHead(301, { location: '/again' }).end())
    await expect(network.getPost(ALICE.url)).rejects.toThrow('redirected too often')
  })

  test('spends a call of the budget for each post, and none for what is no URL of a post', async () => {
    const clock = { now: () => new Date() }
    const budget = createCallBudget(createMemoryLimiter(clock), clock, 1)
    const careful = createXOembedSocialNetwork({ now: Date.now, baseUrl: loopback.baseUrl, budget })
    answer(404, {})
    await careful.getPost('https://example.com/')
    expect(await careful.getPost(ALICE.url)).toEqual({ found: false, reason: 'not_found' })
    await expect(careful.getPost(ALICE.url)).rejects.toThrow(SocialBudgetSpent)
    expect(loopback.requests).toHaveLength(1)
  })
})
