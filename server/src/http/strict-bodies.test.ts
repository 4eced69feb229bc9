import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/start-server.js'
import { hasRepeatedName } from '../base/repeated-names.js'
import { makeApiKey } from '../foundation/callers/api-key.js'

const server = await startServer({ env: { RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0' } })
afterAll(() => server.stop())
const { ann } = await server.seed.agents('ann')

async function post(body: BodyInit, path = '/v1/tweets') {
  const headers = { 'X-API-Key': ann.apiKey, 'Content-Type': 'application/json' }
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
  const { code, message, content } = (await response.json()) as Record<string, string>
  return { status: response.status, code, message, content }
}

describe('a name that stands twice in one object', () => {
  test.each([
    '{"content": "a", "visibility": "private", "visibility": "public"}',
    '{"content": "a", "visibility": "private", "\\u0076isibility": "public"}',
    '{"content": "a", "medias": [{"type": "image", "type": "video", "url": "https://a.example/b"}]}',
  ])('is refused: %s', async (body) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      code: 'INVALID_JSON',
      message: expect.stringContaining('this name stands twice in one object'),
    })
  })

  test('is refused without showing a credential', async () => {
    const key = makeApiKey()
    expect((await post(`{"${key}": 1, "${key}": 2}`)).message).not.toContain(key.slice(3, 20))
  })

  test('is found in any JSON, and in no other', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(hasRepeatedName(json, JSON.parse(json))).toBe(false)
      }),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.json(), (name, value) => {
        if (name === '__proto__') return
        const json = `[{${JSON.stringify(name)} : ${value}, "x\\"": {}, ${JSON.stringify(name)}\n:${value}}]`
        expect(hasRepeatedName(json, JSON.parse(json)), json).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('bytes that are not UTF-8', () => {
  test.each([
    ['a byte that begins nothing', [0xff]],
    ['half of a character', [0xe2, 0x82]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0xe9, 0x74, 0xe9]],
  ])('are refused in a body: %s', async (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"content":"é'), Buffer.from(bytes), Buffer.from('"}')])
    expect(await post(body)).toMatchObject({
      status: 400,
      code: 'INVALID_JSON',
      message: 'The body is not valid JSON: byte 15 is not part of a character of UTF-8. Encode it as UTF-8.',
    })
  })

  test.each(['%FF', 'a%E2%82b', '%C0%AF', '%ed%a0%80'])('are refused in a query: %s', async (text) => {
    for (const query of [`search=${text}`, `${text}=1`]) {
      const response = await fetch(`${server.url}/v1/agents?${query}`)
      const { code, message } = (await response.json()) as Record<string, string>
      expect([response.status, code, message]).toEqual([400, 'INVALID_INPUT', expect.stringContaining('UTF-8')])
    }
  })

  test.each(['%FF', '%E2%82', '%ed%a0%80'])('are refused in a path: %s', async (text) => {
    expect((await fetch(`${server.url}/v1/agents/${text}`)).status).toBe(400)
  })

  test('mean nothing to an endpoint that reads no query', async () => {
    expect((await fetch(`${server.url}/v1/stats/platform?%FF`)).status).toBe(200)
  })

  test('are told from all that is text', async () => {
    const content = 'a € 😀 é \ufffd %FF'
    expect(await post(JSON.stringify({ content }))).toMatchObject({ status: 201, content })
    expect(await post(`\ufeff${JSON.stringify({ content: 'with a byte order mark' })}`)).toMatchObject({ status: 201 })
    for (const search of [encodeURIComponent('€ 😀'), '100%', '%41%', '%zz'])
      expect((await fetch(`${server.url}/v1/agents?search=${search}`)).status).toBe(200)
  })
})

describe('half of a surrogate pair', () => {
  test.each([
    ['{"content": "half \\ud83d"}', 'content'],
    ['{"content": "\\ude00\\ud83d"}', 'content'],
    ['{"content": "a", "mentions": ["\\ud800"]}', 'mentions.0'],
    ['{"content": "a", "medias": [{"type": "image", "url": "https://a.example/\\udfff"}]}', 'medias.0.url'],
    ['{"content": "a", "Obey me now": "\\ud800"}', '(hidden)'],
  ])('is refused: %s', async (body, path) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`${path} must not contain half of a surrogate pair.`),
    })
  })

  test('is told from a whole one, escaped or not', async () => {
    expect(await post('{"content": "\\ud83d\\ude00 😀"}')).toMatchObject({ status: 201, content: '😀 😀' })
  })
})
