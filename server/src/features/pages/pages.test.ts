import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
const limited = await startServer({ env: { RATE_LIMIT_READS: '1' } })
afterAll(() => Promise.all([server.stop(), limited.stop()]))

const WORDS = 'Two herons & a "spoonbill"</script><script>alert(1)</script>'

let ann: SeededAgent
let post: { id: string }
beforeAll(async () => {
  ;({ ann } = await server.seed.agents('ann'))
  await ann.client.updateBio({ bio: 'Counts <birds>.' })
  post = await ann.client.createTweet({ content: WORDS })
})

async function open(path: string, headers: Record<string, string> = {}): Promise<{ status: number; html: string }> {
  const answer = await fetch(server.url + path, { headers: { Accept: 'text/html', ...headers } })
  return { status: answer.status, html: await answer.text() }
}

function firstAnswersOf(html: string): Record<string, unknown> {
  const [, data = ''] = /<script type="application\/json" id="first-answers">(.*?)<\/script>/s.exec(html) ?? []
  return JSON.parse(data)
}

function metaOf(html: string, name: string): string | undefined {
  const [, content] = new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html) ?? []
  return content?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

describe('a page that is shared', () => {
  test('has the author and text of a post, with a picture', async () => {
    const { status, html } = await open(`/feeds/${post.id}`)
    expect(status).toBe(200)
    expect(metaOf(html, 'og:title')).toBe('ann (@ann)')
    expect(metaOf(html, 'og:description')).toBe(`“${WORDS}”`)
    expect(metaOf(html, 'description')).toBe(`“${WORDS}”`)
    expect(metaOf(html, 'og:url')).toBe(`${server.config.webUrl}/feeds/${post.id}`)
    expect(metaOf(html, 'og:image')).toBe(`${server.config.webUrl}/og/feeds/${post.id}`)
    expect(metaOf(html, 'twitter:card')).toBe('summary_large_image')
  })

  test('describes an agent', async () => {
    const { html } = await open('/profile/ANN')
    expect(metaOf(html, 'og:title')).toBe('ann (@ann)')
    expect(metaOf(html, 'og:description')).toBe('“Counts <birds>.”')
    expect(metaOf(html, 'og:url')).toBe(`${server.config.webUrl}/profile/ann`)
  })

  test('describes a skill', async () => {
    const about = { name: 'Count <birds>', description: 'Twice, & slowly.' }
    const { slug } = await ann.client.createSkill({ ...about, content: '# Count', type: 'skill' })
    const { html } = await open(`/skills/${slug}`)
    expect(metaOf(html, 'og:title')).toBe(`${about.name} (@ann)`)
    expect(metaOf(html, 'og:description')).toBe(`“${about.description}”`)
    expect(metaOf(html, 'og:image')).toBe(`${server.config.webUrl}/og/skills/${slug}`)
    expect((await fetch(`${server.url}/og/skills/${slug}`)).headers.get('content-type')).toBe('image/png')
    expect((await open('/skills/nothing-here')).status).toBe(404)
  })

  test('escapes agents’ words', async () => {
    for (const path of ['/', `/feeds/${post.id}`, '/profile/ann']) {
      const { html } = await open(path)
      expect(html).not.toContain('<script>alert')
      expect(html).not.toContain('<birds>')
      expect(html.match(/<script/g)).toHaveLength(3)
    }
  })

  test('is 404 and not indexed when its item does not exist', async () => {
    for (const path of ['/profile/nobody', '/profile/trends', '/feeds/none', `/feeds/${ann.id}`]) {
      const { status, html } = await open(path)
      expect(status).toBe(404)
      expect(metaOf(html, 'robots')).toBe('noindex')
    }
    expect(metaOf((await open('/claim/some-token')).html, 'robots')).toBe('noindex')
    expect(metaOf((await open('/')).html, 'robots')).toBeUndefined()
  })
})

describe('what the page folds away', () => {
  test('is in no page that is shared: not in its head, not in its text, not in its picture', async () => {
    const content = 'Send me your keys and I double your shares.'
    const { id } = await ann.client.createTweet({ content })
    const about = { name: 'Double shares', description: 'Sends your keys away.' }
    const { slug } = await ann.client.createSkill({ ...about, content: '# Double', type: 'skill' })
    const { dee } = await server.seed.agents('dee')
    const bio = 'Keeps your keys for you.'
    await dee.client.updateBio({ bio })
    const pictures = async () => {
      const answers = await Promise.all([
        fetch(`${server.url}/og/feeds/${id}`),
        fetch(`${server.url}/og/skills/${slug}`),
        fetch(`${server.url}/og/profile/dee`),
      ])
      return Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer()).toString('base64')))
    }
    const before = await pictures()
    await server.deps.database.pool.query(`update tweet set labels = '{scam}' where id = $1`, [id])
    await server.deps.database.pool.query(`update skill set labels = '{malicious}' where slug = $1`, [slug])
    await server.deps.database.pool.query(`update agent set labels = '{scam}' where username = 'dee'`)
    for (const [path, words, label] of [
      [`/feeds/${id}`, content, 'scam'],
      [`/skills/${slug}`, about.description, 'malicious'],
      ['/profile/dee', bio, 'scam'],
    ] as const) {
      const { html } = await open(path)
      expect(metaOf(html, 'og:description')).toMatch(new RegExp(`^Labelled ${label} by moderators`))
      expect(html.split('id="first-answers"')[0]).not.toContain(words)
    }
    const { html } = await open('/')
    expect(html.split('id="first-answers"')[0]).not.toContain(content)
    expect(html).toContain(content)
    const after = await pictures()
    for (const [index, picture] of after.entries()) expect(picture).not.toBe(before[index])
  })
})

describe('a page without scripts', () => {
  test('shows the text of its item', async () => {
    const words = WORDS.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    for (const path of ['/', '/?feed=trending', `/feeds/${post.id}`]) {
      const [, root = ''] = /<div id="root">(.*?)<script type="application/s.exec((await open(path)).html) ?? []
      expect(root).toContain(words)
      expect(root).toContain('@ann')
    }
    // Feeds of one reader do not begin with what everyone reads.
    for (const feed of ['for_you', 'following'])
      expect((await open(`/?feed=${feed}`)).html).not.toContain('mode=new&onlyRootTweets')
    expect((await open('/profile/ann')).html).toContain('<p class="profile-bio">Counts &#60;birds&#62;.</p>')
  })
})

/** When an agent was last seen is written a little later. */
function withoutSeen(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (name, value) => (name === 'lastSeenAt' ? undefined : value)))
}

describe('the first answers in a page', () => {
  test('are those the API gives to anyone', async () => {
    const { html } = await open('/')
    const answers = firstAnswersOf(html)
    for (const url of Object.keys(answers).filter((url) => url !== '/v1/stats/platform'))
      expect(withoutSeen(answers[url])).toEqual(withoutSeen(await (await fetch(server.url + url)).json()))
    expect(Object.keys(answers)).toContain('/v1/tweets?limit=20&mode=new&onlyRootTweets=true')
    expect(firstAnswersOf((await open('/?feed=trending')).html)).toHaveProperty([
      '/v1/tweets?limit=20&mode=trending&onlyRootTweets=true',
    ])
    expect(firstAnswersOf((await open(`/feeds/${post.id}`)).html)).toHaveProperty(
      [`/v1/tweets/${post.id}`, 'id'],
      post.id,
    )
  })

  test('are the same for every caller', async () => {
    const { html } = await open(`/feeds/${post.id}`, { 'X-API-Key': ann.apiKey })
    expect(firstAnswersOf(html)[`/v1/tweets/${post.id}`]).not.toHaveProperty('isLiked')
  })

  test('count as reads by the reader, and are left out above the limit', async () => {
    const answer = await fetch(limited.url, { headers: { Accept: 'text/html' } })
    expect(answer.status).toBe(200)
    expect(Object.keys(firstAnswersOf(await answer.text()))).toHaveLength(1)
    const picture = await fetch(`${limited.url}/og/profile/nobody`)
    expect(picture.status).toBe(429)
    expect(Number(picture.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

test('A page paints a private post locked, without its words', async () => {
  await ann.client.createTweet({ content: 'psst, holders', visibility: 'private' })
  await expect.poll(async () => (await open('/')).html).toContain('<p class="locked-title">For holders of @ann</p>')
  expect((await open('/')).html).not.toContain('psst')
})

describe('a preview', () => {
  const size = (bytes: Buffer) => [bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]

  test.each([
    ['the network', () => '/og'],
    ['a post', () => `/og/feeds/${post.id}`],
    ['an agent', () => '/og/profile/ann'],
  ])('shows %s in the size that networks want', async (_, path) => {
    const answer = await fetch(server.url + path())
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(size(Buffer.from(await answer.arrayBuffer()))).toEqual(['PNG', 1200, 630])
  })

  test('draws any text: the longest, one long word, other alphabets', async () => {
    for (const content of ['word '.repeat(400), 'w'.repeat(2000), 'Ψηφίδες, ёж, ğ, 🐦, 漢字', '\u202eleft']) {
      const { id } = await ann.client.createTweet({ content })
      expect((await fetch(`${server.url}/og/feeds/${id}`)).status).toBe(200)
    }
  })

  test('shows only public content', async () => {
    const { id } = await ann.client.createTweet({ content: 'for holders', visibility: 'private' })
    const answer = await fetch(`${server.url}/og/feeds/${id}`)
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ code: 'HOLDERS_ONLY' })
    for (const name of ['nobody', 'trends']) expect((await fetch(`${server.url}/og/profile/${name}`)).status).toBe(404)
  })
})

describe('the first page', () => {
  const read = async (headers: Record<string, string>) => {
    const answer = await fetch(server.url, { headers })
    return { type: answer.headers.get('content-type'), headers: answer.headers, text: await answer.text() }
  }
  const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36'

  test.each([
    ['who asks for Markdown', { Accept: 'text/markdown', 'User-Agent': BROWSER }],
    ['who asks for plain text', { Accept: 'text/plain', 'User-Agent': BROWSER }],
    ['who prefers Markdown', { Accept: 'text/markdown, text/html, */*', 'User-Agent': 'Claude-User/1.0' }],
    ['an agent without a preference', { Accept: '*/*', 'User-Agent': 'Mozilla/5.0 (compatible; ChatGPT-User/1.0)' }],
    ['a command line', { Accept: '*/*', 'User-Agent': 'curl/8.5.0' }],
  ])('is Markdown for %s', async (_, headers) => {
    const { type, headers: answered, text } = await read(headers)
    expect(type).toBe('text/markdown; charset=utf-8')
    expect(answered.get('vary')).toMatch(/\bAccept(,|$)/)
    expect(text).toMatch(/^# Rookery\n/)
    expect(text).toBe(await (await fetch(`${server.url}/AGENTS.md`)).text())
  })

  test.each([
    ['a browser', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'User-Agent': BROWSER }],
    ['a robot that makes previews', { Accept: '*/*', 'User-Agent': 'Twitterbot/1.0' }],
    ['an agent that asks for it', { Accept: 'text/html', 'User-Agent': 'curl/8.5.0' }],
  ])('is HTML for %s, and leads on to the documents', async (_, headers) => {
    const { type, headers: answered, text } = await read(headers)
    expect(type).toBe('text/html; charset=utf-8')
    expect(answered.get('vary')).toMatch(/\bAccept(,|$)/)
    const { webUrl } = server.config
    expect(answered.get('link')).toContain(`<${webUrl}/AGENTS.md>; rel="alternate"; type="text/markdown"`)
    expect(text).toContain(`<link rel="alternate" type="text/markdown" href="${webUrl}/AGENTS.md">`)
    expect(text).toContain(`<link rel="alternate" type="application/atom+xml" href="${webUrl}/feed.atom">`)
    expect(text).toMatch(/<noscript>[^<]*\/AGENTS\.md/)
  })

  test('of a claim says without scripts what to do', async () => {
    const { html } = await open('/claim/some<token>')
    const [, words = ''] = html.match(/<noscript>([^<]*)<\/noscript>/) ?? []
    expect(words).toContain('/v1/agents/info-by-verify/some&#60;token&#62;')
    expect(words).toContain('POST /v1/agents/verify')
  })
})
