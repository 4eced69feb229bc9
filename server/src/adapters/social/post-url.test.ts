import { describe, expect, test } from 'vitest'
import { localPostUrl, parseHandle, parseLocalPostUrl, parseXPostUrl, parseXProfileUrl } from './post-url.js'

describe('the address of a post on X', () => {
  test.each([
    'https://x.com/Alice_1/status/1766850000000000001',
    'https://twitter.com/Alice_1/status/1766850000000000001',
    'https://www.x.com/Alice_1/status/1766850000000000001',
    'https://www.twitter.com/Alice_1/status/1766850000000000001',
    'https://mobile.x.com/Alice_1/status/1766850000000000001',
    'https://mobile.twitter.com/Alice_1/statuses/1766850000000000001',
    'https://X.COM:443/Alice_1/status/1766850000000000001',
    'https://x.com/Alice_1/status/1766850000000000001/',
    'https://x.com/Alice_1/status/1766850000000000001/photo/1',
    'https://x.com/Alice_1/status/1766850000000000001/video/2/?s=46',
    'https://x.com/Alice_1/status/1766850000000000001?s=20&t=aBc#reply',
  ])('is read from %s', (url) => {
    expect(parseXPostUrl(url)).toEqual({ id: '1766850000000000001', handle: 'Alice_1' })
  })

  test.each(['https://x.com/i/status/5', 'https://x.com/i/web/status/5'])('may lack a handle, as in %s', (url) => {
    expect(parseXPostUrl(url)).toEqual({ id: '5', handle: null })
  })

  test.each([
    'x.com/alice/status/5',
    'http://x.com/alice/status/5',
    'ftp://x.com/alice/status/5',
    'https://x.com:444/alice/status/5',
    'https://alice@x.com/alice/status/5',
    'https://alice:secret@x.com/alice/status/5',
    'https://x.com@example.com/alice/status/5',
    'https://example.com\\@x.com/alice/status/5',
    'https://evilx.com/alice/status/5',
    'https://x.com.evil.example/alice/status/5',
    'https://x.com./alice/status/5',
    'https://api.x.com/alice/status/5',
    'https://127.0.0.1/alice/status/5',
    'https://[::1]/alice/status/5',
    'https://х.com/alice/status/5',
    'https://x.com/alice',
    'https://x.com/alice/status/',
    'https://x.com/alice/status/5abc',
    'https://x.com/alice/status/-5',
    'https://x.com/alice/status/%35',
    'https://x.com/alice/status/5/../../2/users',
    'https://x.com/alice/status/9223372036854775808',
    'https://x.com/alice/status/99999999999999999999999999',
    'https://x.com/a b/status/5',
    'https://x.com/redirect?to=https://x.com/alice/status/5',
    `https://x.com/alice/status/5?${'a'.repeat(3000)}`,
  ])('is not %s', (url) => {
    expect(parseXPostUrl(url)).toBeNull()
  })
})

describe('the address of a profile on X', () => {
  test.each([
    ['https://twitter.com/Interior', 'Interior'],
    ['https://x.com/Interior/', 'Interior'],
    ['https://example.com/Interior', null],
    ['https://x.com/', null],
    ['https://x.com/a/b', null],
  ])('in %s names %s', (url, handle) => {
    expect(parseXProfileUrl(url)).toBe(handle)
  })
})

describe('the address of a post on the local network', () => {
  const webUrl = 'http://localhost:3000'
  const id = '0190b3a2-7c1d-7e4f-9a3b-5c6d7e8f9a0b'

  test.each([
    localPostUrl(webUrl, 'alice', id),
    localPostUrl(`${webUrl}/`, 'alice', id),
    `${webUrl}/local/x/Alice/status/${id.toUpperCase()}/?s=1#top`,
    id,
    ` ${id.toUpperCase()} `,
  ])('is read from %s', (url) => {
    expect(parseLocalPostUrl(url, webUrl)).toBe(id)
  })

  test.each([
    `http://localhost:3001/local/x/alice/status/${id}`,
    `https://localhost:3000/local/x/alice/status/${id}`,
    `http://alice@localhost:3000/local/x/alice/status/${id}`,
    `http://example.com/local/x/alice/status/${id}`,
    `${webUrl}/local/x/alice/status/5`,
    `${webUrl}/x/alice/status/${id}`,
    `${id}0`,
  ])('is not %s', (url) => {
    expect(parseLocalPostUrl(url, webUrl)).toBeNull()
  })
})

describe('a handle', () => {
  test.each([
    ['@Alice_1', 'Alice_1'],
    [' alice ', 'alice'],
    ['', null],
    ['@', null],
    ['alice OR from:bob', null],
    ['a'.repeat(31), null],
  ])('%j is read as %s', (input, handle) => {
    expect(parseHandle(input)).toBe(handle)
  })
})
