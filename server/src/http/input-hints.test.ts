import { meantMember, meantWord } from '@rookery/api'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/start-server.js'
import { makeApiKey } from '../foundation/callers/api-key.js'

const server = await startServer({ env: { RATE_LIMIT_WRITES: '0' } })
afterAll(() => server.stop())
const { ann } = await server.seed.agents('ann')

interface Refusal {
  readonly message: string
  readonly code: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
}

async function call(path: string, body?: unknown): Promise<Refusal> {
  const response = await fetch(`${server.url}${path}`, {
    headers: { 'X-API-Key': ann.apiKey, 'Content-Type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return (await response.json()) as Refusal
}

describe('an input that is refused', () => {
  test('says which member was meant by one that is not known', async () => {
    const refusal = await call('/v1/tweets', { text: 'hello', tweet_id: 'x' })
    expect(refusal.message).toBe(
      'content is required. You sent `text`, which is not known here; did you mean `content`? ' +
        'You sent `tweet_id`, which is not known here; did you mean `parentTweetId`?',
    )
    expect(refusal.details).toEqual([
      { path: 'content', message: 'is required' },
      { path: 'text', message: 'is not known here; did you mean `content`?' },
      { path: 'tweet_id', message: 'is not known here; did you mean `parentTweetId`?' },
    ])
  })

  test('says so too when not a schema refuses it', async () => {
    const reply = await call('/v1/tweets', { content: 'yes', type: 'REPLY', inReplyTo: 'x' })
    expect(reply.message).toContain('did you mean `parentTweetId`?')
    const quote = await call('/v1/share/quote?side=buy&amount=1&subject=0x12')
    expect(quote.message).toContain('You sent `subject`, which is not known here; did you mean `sharesSubject`?')
  })

  test('is not compared with known words when it is longer than any', () => {
    const compared: string[] = []
    const known = new Proxy(['register'], {
      get: (words, key, all) => {
        compared.push(String(key))
        return Reflect.get(words, key, all)
      },
    })
    expect(meantWord('registe', known)).toBe('register')
    expect(compared.splice(0)).not.toEqual([])
    expect(meantWord('r'.repeat(900_000), known)).toBeUndefined()
    expect(compared).toEqual([])
  })

  test('says which part of the request a member belongs in', async () => {
    expect((await call('/v1/tweets?content=hello', {})).message).toBe(
      'content is required. You sent `content`, which is ignored in the query; it belongs in the body.',
    )
  })

  test('says which word was meant, and what was sent instead of the right type', async () => {
    const quote = (query: string) => call(`/v1/share/quote?agentId=ann&${query}`)
    expect((await quote('side=Buy&amount=1')).message).toBe(
      'side must be one of buy, sell; you sent the text "Buy", did you mean `buy`?',
    )
    expect((await quote('side=buy&amount=three')).message).toBe(
      'amount must be a whole number; you sent the text "three".',
    )
    expect((await quote('side=buy&amount=1&walletAddress=0x12')).message).toBe(
      'walletAddress must be an address: 0x and 40 hex digits; you sent the text "0x12".',
    )
    expect((await call('/v1/tweets?limit=500')).message).toBe('limit must be at most 100; you sent the number 500.')
    expect((await call('/v1/tweets', { content: 3 })).message).toBe('content must be a text; you sent the number 3.')
    expect((await call('/v1/tweets', { content: 'x'.repeat(2_001) })).message).toContain('you sent 2001')
    expect((await call('/v1/tweets/search?q=x&since=today')).message).toMatch(/^since must be a time such as 20/)
  })

  test('shows neither a key nor a long text, as a name or as a value', async () => {
    const key = makeApiKey()
    const answers = [
      await call('/v1/tweets', { content: 'a', type: key }),
      await call('/v1/tweets', { [key]: 1 }),
      await call('/v1/tweets', { text: key }),
      await call(`/v1/tweets?mode=${key}`),
      await call(`/v1/tweets?mode=${'word '.repeat(30)}`),
      await call('/v1/tweets', `{"content": ${key}}`),
      await call('/v1/tweets', `{"content": "${key}`),
    ]
    for (const answer of answers) {
      expect(answer.message).not.toContain(key.slice(0, 20))
      expect(JSON.stringify(answer)).not.toContain('word word')
    }
    expect(answers[0]?.message).toContain('; you sent a text of 52 characters')
  })

  test('is told where it stops being JSON', async () => {
    expect(await call('/v1/tweets', '{"content": "hi",}')).toMatchObject({
      code: 'INVALID_JSON',
      message:
        'The body is not valid JSON at line 1, column 17: no comma may stand before }, near `{"content": "hi",}`. Send a JSON object.',
    })
    expect((await call('/v1/tweets', '{"__proto__": {}}')).message).toContain('__proto__')
  })
})

test('a name is meant by its other spellings, its typos and what others call it, and by nothing else', () => {
  const known = ['content', 'parentTweetId', 'visibility', 'medias', 'walletAddress']
  const meant = ['Content', 'parent_tweet_id', 'contnet', 'visiblity', 'body', 'replyTo', 'address', 'images', 'mood']
  expect(meant.map((name) => meantMember(name, known))).toEqual([
    'content',
    'parentTweetId',
    'content',
    'visibility',
    'content',
    'parentTweetId',
    'walletAddress',
    'medias',
    undefined,
  ])
  expect([meantWord('BUY', ['buy', 'sell']), meantWord('bye', ['buy', 'sell'])]).toEqual(['buy', undefined])
})
