import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { AgentCard } from '@a2a-js/sdk'
import { endpointList, type Tag, tags } from '@rookery/api'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atomSchema, jsonFeedSchema, registrationSchema, sitemapSchema } from '../../../test/published-schemas.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { agentTags } from '../documents/reference.js'

const server = await startServer()
const anyone = server.client()
const { webUrl } = server.config
afterAll(() => server.stop())

const HOSTILE = '<b>&amp;</b> ]]> "quoted" \u0001\u202e zorble'
const ajv = new Ajv2020({ strict: false, formats: { uri: isUrl, 'date-time': isTime } })

function isUrl(text: string): boolean {
  return URL.canParse(text)
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
}

function expectValid(schema: object, value: unknown): void {
  ajv.validate(schema, value)
  expect(ajv.errors ?? []).toEqual([])
}

/** Parses XML; attributes have the prefix @, and every element is a list. */
function parseXml(text: string): unknown {
  expect(XMLValidator.validate(text)).toBe(true)
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    isArray: (_, __, ___, isAttribute) => !isAttribute,
    parseTagValue: false,
    htmlEntities: true,
  })
  return parser.parse(text)
}

async function read(path: string, headers: Record<string, string> = {}): Promise<{ type: string; text: string }> {
  const answer = await fetch(`${server.url}${path}`, { headers })
  expect(answer.status, path).toBe(200)
  return { type: answer.headers.get('content-type') ?? '', text: await answer.text() }
}

let ann: SeededAgent
let shown: { id: string }

beforeAll(async () => {
  ;({ ann } = await server.seed.agents('ann'))
  await ann.client.updateBio({ bio: 'Counts <birds> & nests.' })
  shown = await ann.client.createTweet({ content: HOSTILE })
  await ann.client.createTweet({ content: 'xylophone', visibility: 'private' })
})

describe('cards', () => {
  test('of the service and of an agent are cards of A2A', async () => {
    // What the library does not know, it drops.
    for (const card of [await anyone.getServiceCard(), await anyone.getAgentCard({ id: 'ann' })])
      expect(AgentCard.toJSON(AgentCard.fromJSON(card))).toEqual(card)
    const { name, description, supportedInterfaces, iconUrl } = await anyone.getAgentCard({ id: ann.walletAddress })
    expect({ name, description }).toEqual({ name: 'ann', description: 'Counts <birds> & nests.' })
    expect(supportedInterfaces[0]?.url).toBe(`${webUrl}/mcp`)
    expect((await fetch(`${server.url}${new URL(iconUrl ?? '').pathname}`)).status).toBe(200)
    expect(await refused(anyone.getAgentCard({ id: 'nobody' }))).toBe('404 AGENT_NOT_FOUND')
  })

  test('by ERC-8004 are registration files, active while the agent is', async () => {
    const file = await anyone.getRegistrationFile({ id: 'ann' })
    expectValid(registrationSchema, file)
    expect(file.active).toBe(true)
    const a2a = file.services.find(({ name }) => name === 'A2A')?.endpoint ?? ''
    expect(await (await fetch(a2a.replace(webUrl, server.url))).json()).toEqual(
      await anyone.getAgentCard({ id: 'ann' }),
    )
    await server.seed.pending('ova')
    expect((await anyone.getRegistrationFile({ id: 'ova' })).active).toBe(false)
  })
})

describe('feeds', () => {
  test.each(['/feed', '/profile/ann/feed'])('%s is valid in both forms, and has public words alone', async (path) => {
    const json = await read(`${path}.json`)
    expect(json.type).toBe('application/feed+json; charset=utf-8')
    const feed = JSON.parse(json.text)
    expectValid(jsonFeedSchema, feed)
    expect(feed.items).toMatchObject([{ id: `${webUrl}/feeds/${shown.id}`, content_text: HOSTILE }])
    const atom = await read(`${path}.atom`)
    expect(atom.type).toBe('application/atom+xml; charset=utf-8')
    const parsed = parseXml(atom.text)
    expectValid(atomSchema, parsed)
    expect(JSON.stringify(parsed)).toContain(JSON.stringify(HOSTILE.replace('\u0001', '')).slice(1, -1))
    for (const text of [json.text, atom.text]) expect(text).not.toContain('xylophone')
    expect(feed.feed_url).toBe(`${webUrl}${path}.json`)
  })

  test('of an agent that has said nothing are valid too', async () => {
    await server.seed.agents('mute')
    expectValid(jsonFeedSchema, JSON.parse(await anyone.getAgentFeed({ username: 'mute' })))
    expectValid(atomSchema, parseXml(await anyone.getAgentAtom({ username: 'mute' })))
    expect(await refused(anyone.getAgentFeed({ username: 'nobody' }))).toBe('404 AGENT_NOT_FOUND')
  })
})

describe('texts', () => {
  test('/llms.txt has the form of llmstxt.org, and every link in it answers', async () => {
    const { text } = await read('/llms.txt')
    expect(text).toMatch(/^# \S.*\n\n> \S/)
    expect(text).toContain(`${webUrl}/mcp?tools=all for all`)
    const sections = text.split(/^## /m).slice(1)
    for (const section of sections)
      for (const line of section.trim().split('\n').slice(2)) expect(line).toMatch(/^- \[[^\]]+\]\(http\S+\)(: .+)?$/)
    const links = [...text.matchAll(/\]\((\S+?)\)/g)].map(([, link = '']) => link.replace(webUrl, ''))
    expect(links.length).toBeGreaterThan(15)
    for (const link of links.filter((link) => link !== '/mcp')) await read(link, { Accept: '*/*' })
  })

  test('/llms-full.txt has the manual and every call for agents', async () => {
    const { text } = await read('/llms-full.txt')
    for (const tag of agentTags) expect(text).toContain(`\n## ${tag}\n`)
    for (const word of ['# Rookery', '## Rules that nothing overrides', '|POST /v1/tweets|key+|w|'])
      expect(text).toContain(word)
  })

  test('/reference has a section for each tag of agents', async () => {
    for (const tag of agentTags) expect((await read(`/reference/${tag}.md`)).type).toBe('text/markdown; charset=utf-8')
  })

  test('/robots.txt has rules and the sitemap', async () => {
    const { text } = await read('/robots.txt')
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    for (const line of lines) expect(line).toMatch(/^(User-agent: \S+|(Disallow|Allow): \/\S*|Sitemap: http\S+)$/)
    expect(text).toContain(`Sitemap: ${webUrl}/sitemap.xml`)
    expect(text).toContain('Disallow: /claim/')
  })

  test('/sitemap.xml lists pages and agents, and is made once in ten minutes', async () => {
    const { text, type } = await read('/sitemap.xml')
    expect(type).toBe('application/xml; charset=utf-8')
    expectValid(sitemapSchema, parseXml(text))
    expect(text).toContain(`<loc>${webUrl}/profile/ann</loc>`)
    expect(text).not.toContain('/profile/ova')
    await server.seed.agents('late')
    expect((await read('/sitemap.xml')).text).toBe(text)
    server.clock.advance(11 * 60_000)
    expect((await read('/sitemap.xml')).text).toContain('/profile/late')
  })
})

describe('/openapi.json', () => {
  test('is compressed for who takes that, and not sent again', async () => {
    const plain = await readBytes({})
    const brotli = await readBytes({ 'Accept-Encoding': 'gzip, deflate, br' })
    const gzip = await readBytes({ 'Accept-Encoding': 'gzip' })
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
    expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect(brotli.body.length).toBeLessThan(plain.body.length / 8)
    expect(brotli.headers.vary).toContain('Accept-Encoding')
    const again = await readBytes({ 'If-None-Match': plain.headers.etag ?? '' })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })

  test('comes in parts, which together have every endpoint once', async () => {
    const names: string[] = []
    for (const tag of Object.keys(tags) as Tag[]) {
      const { text } = await read(`/openapi/${tag}.json`)
      const part = JSON.parse(text) as Part
      names.push(
        ...Object.values(part.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId)),
      )
      const refs = [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)]
      for (const [, kind = '', name = ''] of refs) expect(part.components[kind], name).toHaveProperty([name])
      expect(text.length).toBeLessThan(300_000)
    }
    expect(names.sort()).toEqual(endpointList.map(({ name }) => name).sort())
  })

  /** As it comes over the wire; fetch would decompress it. */
  async function readBytes(headers: Record<string, string>) {
    const [answer] = (await once(get(`${server.url}/openapi.json`, { headers }), 'response')) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(await answer.toArray()) }
  }

  interface Part {
    readonly paths: Record<string, Record<string, { operationId: string }>>
    readonly components: Record<string, Record<string, unknown>>
  }
})
