import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SocialNetwork, SocialPost } from './social-network.js'

/** A network that contains `post`, and nothing at `missingUrl`. */
export interface NetworkWithPost {
  readonly network: SocialNetwork
  readonly post: SocialPost
  readonly missingUrl: string
  close(): Promise<void>
}

const BAD_URLS = [
  '',
  'not a url',
  'https://example.com/alice/status/1',
  'https://x.com.example.com/alice/status/1',
  'https://example.com/?https://x.com/alice/status/1',
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
  'javascript:alert(1)',
]

/** The contract of every social network. */
export function socialNetworkContract(open: () => Promise<NetworkWithPost>): void {
  describe('every social network', () => {
    let opened: NetworkWithPost
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.close())

    test('returns the text and the author of a post', async () => {
      expect(await opened.network.getPost(opened.post.url)).toEqual({ found: true, post: opened.post })
    })

    test('returns a non-empty id of the author', async () => {
      const lookup = await opened.network.getPost(opened.post.url)
      expect(lookup.found && lookup.post.author.id).toMatch(/^\S+$/)
    })

    test('accepts a URL as people paste it, with spaces, tracking parameters and a fragment', async () => {
      const lookup = await opened.network.getPost(` ${opened.post.url}/?s=20&t=abc#top\n`)
      expect(lookup).toEqual({ found: true, post: opened.post })
    })

    test('reports a missing post as not found', async () => {
      expect(await opened.network.getPost(opened.missingUrl)).toEqual({ found: false, reason: 'not_found' })
    })

    test.each(BAD_URLS)('refuses the URL "%s"', async (url) => {
      expect(await opened.network.getPost(url)).toEqual({ found: false, reason: 'bad_url' })
    })

    test('finds the post by its words, ignoring case, or reports that it cannot search', async () => {
      const terms = [opened.post.text.slice(0, 10).toUpperCase(), opened.post.text.slice(-5).toLowerCase()]
      const found = [opened.post]
      const lookups = [
        await opened.network.findPosts({ terms }),
        await opened.network.findPosts({ terms, handle: `@${opened.post.author.handle.toUpperCase()}` }),
      ]
      expect([
        [found, found],
        [null, null],
      ]).toContainEqual(lookups)
    })

    test.each([
      { terms: ['words that no post contains'] },
      { terms: [] },
      { terms: ['Activation code'], handle: 'no such handle OR from:alice' },
    ])('finds nothing for $terms by $handle', async (query) => {
      expect([[], null]).toContainEqual(await opened.network.findPosts(query))
    })
  })
}
