import { endpoints, errors } from '@rookery/api'
import { priceOf, quoteBuy } from '@rookery/contracts'
import { readGuideBlocks } from '@rookery/tooling/guide-blocks'
import { Value } from 'typebox/value'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { readConfig } from '../../config/config.js'
import { documentPathOf, guidePages, pathOf } from '../guide/guide-pages.js'

const server = await startServer()
const { webUrl } = server.config
afterAll(() => server.stop())

const BROWSER = { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0' }
const paths = guidePages.map((page) => [pathOf(page), page] as const)
const blocks = [...readGuideBlocks().values()].flat()

async function read(path: string, headers: Record<string, string> = BROWSER) {
  const answer = await fetch(`${server.url}${path}`, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

describe('a page of the guide', () => {
  test.each(paths)('%s is HTML for browsers and Markdown for programs', async (path, page) => {
    const html = await read(path)
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html.text).toContain(`<h1>${page.title}</h1>`)
    expect(html.text).toContain(`href="${path}" aria-current="page"`)
    expect(html.text).toContain(`<link rel="alternate" type="text/markdown" href="${webUrl}${documentPathOf(page)}">`)
    expect(html.headers.get('vary')).toContain('Accept')

    const { text, headers } = await read(documentPathOf(page))
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(text).toMatch(new RegExp(`^# ${page.title}\n`))
    expect((await read(path, { Accept: 'text/markdown' })).text).toBe(text)
    expect((await read(path, { 'User-Agent': 'curl/8.5.0' })).text).toBe(text)
  })

  test.each(paths)('%s has the address of this installation, and nothing left to fill in', async (path, page) => {
    for (const { text } of [await read(path), await read(documentPathOf(page))]) {
      expect(text).not.toContain('<!-- ')
      expect(text.replaceAll(webUrl, '')).not.toContain('localhost:3000')
    }
  })

  test.each(paths)('%s needs no script of its own and has no style in it', async (path) => {
    const { text } = await read(path)
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/theme.js">'])
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=/)
  })

  test('is answered with 304 to who has it', async () => {
    const { headers } = await read('/guide')
    const again = await read('/guide', { ...BROWSER, 'If-None-Match': headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('that does not exist is 404', async () => {
    expect((await read('/guide/nothing')).status).toBe(404)
  })
})

// What the guide links to on the internet, where no test looks.
const ELSEWHERE = ['https://viem.sh', 'https://modelcontextprotocol.io', 'https://www.standardwebhooks.com']

describe('every link of the guide', () => {
  test.each(paths)('on %s answers', async (path, page) => {
    const [{ text: html }, { text: markdown }] = await Promise.all([read(path), read(documentPathOf(page))])
    const written = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const links = [...html.matchAll(/<(?:a|link|script|img)[^>]* (?:href|src)="([^"]+)"/g)].map(([, link = '']) => link)
    for (const link of new Set([...links, ...written])) await expectAnswer(new URL(link, `${webUrl}${path}`))
  })
})

async function expectAnswer({ origin, pathname, hash }: URL): Promise<void> {
  if (ELSEWHERE.includes(origin)) return
  expect(origin).toBe(webUrl)
  const { status, text } = await read(pathname)
  expect(status, pathname).toBe(200)
  if (hash === '') return
  const isThere = pathname.endsWith('.md')
    ? headingsOf(text).includes(hash.slice(1))
    : text.includes(`id="${hash.slice(1)}"`)
  expect(isThere, pathname + hash).toBe(true)
}

function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^##+ (.*)$/gm)].map(([, words = '']) => words.toLowerCase().replaceAll(' ', '-'))
}

describe('what the guide shows', () => {
  test('is of a kind that a test runs or checks', () => {
    const unknown = blocks.filter(({ language }) => !['sh', 'ts', 'json', 'dotenv', 'text'].includes(language))
    expect(unknown).toEqual([])
    expect(blocks.length).toBeGreaterThan(60)
  })

  test('as an answer has the shape of the endpoint', () => {
    const answers = blocks.filter(({ language, marks }) => language === 'json' && !('mcp' in marks))
    expect(answers.length).toBeGreaterThan(0)
    for (const { marks, text, place } of answers) {
      const { output } = endpoints[marks.answer as keyof typeof endpoints] ?? {}
      if (!output) expect.fail(`${place} is the answer of no endpoint`)
      expect([...Value.Errors(output, JSON.parse(text))], place).toEqual([])
    }
  })

  test('as a price follows from the curve', () => {
    const { text = '' } = blocks.find(({ marks }) => marks.answer === 'getBuyPrice') ?? {}
    const { supply, amount, ...price } = JSON.parse(text) as Record<string, string>
    const wei = Object.entries(quoteBuy(BigInt(supply ?? 0), BigInt(amount ?? 0))).map(([name, it]) => [name, `${it}`])
    expect(price).toMatchObject(Object.fromEntries(wei))
  })

  test('as configuration is accepted', () => {
    const files = blocks.filter(({ language }) => language === 'dotenv')
    expect(files.length).toBeGreaterThan(0)
    for (const { text } of files) {
      const lines = text.split('\n').filter((line) => line !== '')
      const env = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      )
      const config = readConfig(env)
      expect(Object.keys(env).filter((name) => !(name in config))).toEqual([])
    }
  })
})

describe('what is made from code', () => {
  test('is the curve, drawn and as a table', async () => {
    const [{ text: html }, { text: markdown }] = await Promise.all([read('/guide/trading'), read('/guide/trading.md')])
    expect(html).toContain('<svg')
    expect(markdown).not.toContain('<svg')
    // 50 shares: 2500 / 16000 BNB, both fees more, both fees less for the share before, and the sum of all squares.
    expect(priceOf(50n, 1n)).toBe(156_250_000_000_000_000n)
    expect(markdown).toContain('| 50 | 0.15625 | 0.171875 | 0.13505625 | 2.5265625 |')
    expect(html).toContain('>0.15625 BNB</text>')
  })

  test('is every error code, once', async () => {
    const { text } = await read('/guide/errors.md')
    const [, tables = ''] = text.split('## All codes')
    const listed = [...tables.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [code, Number(status)])
    const all = Object.entries(errors).map(([code, { status }]) => [code, status])
    expect(listed.sort()).toEqual(all.sort())
    expect(
      [...text.matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code).filter((code) => !(code in errors)),
    ).toEqual([])
  })
})

describe('the lists of documents', () => {
  test.each(['/llms.txt', '/sitemap.xml'])('%s has every page', async (list) => {
    const { text } = await read(list)
    for (const page of guidePages) expect(text).toContain(webUrl + pathOf(page))
  })
})
