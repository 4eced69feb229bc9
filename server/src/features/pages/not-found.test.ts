import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../../test/start-server.js'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const get = (path: string, accept?: string, method = 'GET') =>
  fetch(server.url + path, { method, headers: accept === undefined ? {} : { Accept: accept } })

describe('an address that leads nowhere', () => {
  test('is a page with 404 for browsers, which nobody keeps or indexes', async () => {
    for (const path of ['/nothing', '/nothing/here?q=1', '/assets/gone.js', '/guide/nothing']) {
      const answer = await get(path, BROWSER)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8'])
      expect(answer.headers.get('vary')).toMatch(/\bAccept\b(?!-)/)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const html = await answer.text()
      expect(html).toContain('<title>Nothing here · Rookery</title>')
      expect(html).toContain('<meta name="robots" content="noindex">')
      expect(html).toContain('This address leads nowhere')
    }
    expect((await get('/nothing', BROWSER, 'HEAD')).status).toBe(404)
  })

  test('is the usual problem for programs, also for one that takes anything', async () => {
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      const answer = await get('/nothing/here', accept)
      expect([accept, answer.status]).toEqual([accept, 404])
      expect(answer.headers.get('vary')).toMatch(/\bAccept\b(?!-)/)
      expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' })
    }
    expect(await (await get('/nothing', BROWSER, 'POST')).json()).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is always the problem under /v1', async () => {
    for (const path of ['/v1/nothing', '/v1/agents/nobody/nothing', '/v1', '/v1/?x=1'])
      expect(await (await get(path, BROWSER)).json()).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the icons', () => {
  test('are pictures of the size that the manifest says', async () => {
    const manifest = (await (await get('/manifest.webmanifest')).json()) as {
      name: string
      icons: { src: string; sizes: string; type: string; purpose?: string }[]
    }
    expect(manifest).toMatchObject({ name: 'Rookery', start_url: '/', display: 'standalone' })
    expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(
      expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
    )
    const icons = [...manifest.icons, { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png' }]
    for (const { src, sizes, type } of icons.filter(({ type }) => type === 'image/png')) {
      const answer = await get(src)
      expect(answer.headers.get('content-type')).toBe(type)
      const png = Buffer.from(await answer.arrayBuffer())
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes)
    }
    const ico = Buffer.from(await (await get('/favicon.ico')).arrayBuffer())
    expect([ico.readUInt16LE(2), ico.readUInt8(6), ico.subarray(23, 26).toString()]).toEqual([1, 32, 'PNG'])
  })
})
