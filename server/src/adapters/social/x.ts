import type { CallBudget } from './call-budget.js'
import { DEFAULT_TIMEOUT_MS, getJson, type JsonAnswer, listAt, stringAt, valueAt } from './get-json.js'
import { decodeEntities } from './html-text.js'
import { parseHandle, parseXPostUrl, xPostUrl } from './post-url.js'
import {
  type PostLookup,
  type PostQuery,
  type SocialAuthor,
  type SocialNetwork,
  type SocialPost,
  SocialUnavailable,
  TooManyPosts,
} from './social-network.js'

const FIELDS = {
  expansions: 'author_id',
  'tweet.fields': 'author_id,note_tweet,referenced_tweets',
  'user.fields': 'name,username,protected,public_metrics',
}
const SEARCH_PAGE = { max_results: '100', sort_order: 'recency' }
const MOST_PAGES = 5

/** X through its API v2, with the bearer token of an app. */
export function createXSocialNetwork({
  bearerToken,
  now,
  budget,
  baseUrl = 'https://api.x.com',
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: {
  bearerToken: string
  now: () => number
  budget?: CallBudget
  baseUrl?: string
  timeoutMs?: number
}): SocialNetwork {
  async function get(path: string, parameters: Record<string, string> = {}): Promise<JsonAnswer> {
    await budget?.spend()
    const query = new URLSearchParams({ ...parameters, ...FIELDS })
    return getJson(`${baseUrl}${path}?${query}`, {
      headers: { authorization: `Bearer ${bearerToken}` },
      timeoutMs,
      now,
    })
  }

  return {
    kind: 'x',
    ...(budget && { callsLeft: budget.left }),

    async getPost(url, { beforeCall } = {}) {
      const address = parseXPostUrl(url)
      if (address === null) return { found: false, reason: 'bad_url' }
      await beforeCall?.()
      const answer = await get(`/2/tweets/${address.id}`)
      const post = valueAt(answer.body, 'data')
      return post === undefined ? readRefusal(answer) : readPost(post, answer)
    },

    async findPosts(query, { beforeCall } = {}) {
      const search = searchQuery(query)
      if (search === null) return []
      await beforeCall?.()
      const found: SocialPost[] = []
      let page: Record<string, string> = SEARCH_PAGE
      for (let pages = 0; pages < MOST_PAGES; pages++) {
        const answer = await get('/2/tweets/search/recent', { query: search, ...page })
        if (valueAt(answer.body, 'meta') === undefined) throw unexpected(answer)
        found.push(...readMatches(answer, query))
        const next = stringAt(answer.body, 'meta', 'next_token')
        if (next === undefined) return found
        page = { ...SEARCH_PAGE, next_token: next }
      }
      throw new TooManyPosts(`X has more than ${MOST_PAGES} pages of posts with these words`)
    },
  }
}

function readMatches(answer: JsonAnswer, { terms }: PostQuery): SocialPost[] {
  return listAt(answer.body, 'data').flatMap((post) => {
    const lookup = readPost(post, answer)
    return lookup.found && containsAll(lookup.post.text, terms) ? [lookup.post] : []
  })
}

function readPost(post: unknown, answer: JsonAnswer): PostLookup {
  const id = stringAt(post, 'id')
  // A long post has only its beginning in `text`; the note has all of it.
  const text = stringAt(post, 'note_tweet', 'text') ?? stringAt(post, 'text')
  const authorId = stringAt(post, 'author_id')
  const user = listAt(answer.body, 'includes', 'users').find((user) => stringAt(user, 'id') === authorId)
  if (id === undefined || text === undefined) throw unexpected(answer)
  if (user === undefined) return readRefusal(answer)
  if (valueAt(user, 'protected') === true) return { found: false, reason: 'protected' }
  // A repost has the text of another account under this author.
  if (listAt(post, 'referenced_tweets').some((reference) => stringAt(reference, 'type') === 'retweeted')) {
    return { found: false, reason: 'not_found' }
  }
  const author = readAuthor(user, answer)
  return { found: true, post: { id, url: xPostUrl(author.handle, id), text: decodeEntities(text), author } }
}

function readAuthor(user: unknown, answer: JsonAnswer): SocialAuthor {
  const id = stringAt(user, 'id')
  const handle = stringAt(user, 'username')
  if (id === undefined || handle === undefined) throw unexpected(answer)
  return {
    id,
    handle,
    name: stringAt(user, 'name') ?? handle,
    followersCount: readCount(user, 'followers_count'),
    followingCount: readCount(user, 'following_count'),
  }
}

function readCount(user: unknown, name: string): number | null {
  const count = valueAt(user, 'public_metrics', name)
  return typeof count === 'number' ? count : null
}

/** Why there is no post. X reports it in `errors` of an answer with status 200, or in a problem document. */
function readRefusal(answer: JsonAnswer): PostLookup {
  for (const problem of [...listAt(answer.body, 'errors'), answer.body]) {
    const type = stringAt(problem, 'type')?.split('/').at(-1)
    if (type === 'resource-not-found' || type === 'resource-unavailable') return { found: false, reason: 'not_found' }
    if (type === 'not-authorized-for-resource') {
      // X mostly uses the same text for suspended and protected accounts; use the difference where there is one.
      const suspended = /suspended/i.test(stringAt(problem, 'detail') ?? '')
      return { found: false, reason: suspended ? 'not_found' : 'protected' }
    }
  }
  throw unexpected(answer)
}

function unexpected({ status }: JsonAnswer): SocialUnavailable {
  if (status === 401) return new SocialUnavailable('X does not accept the bearer token (401)')
  if (status === 403) return new SocialUnavailable('X does not allow this app to read posts (403)')
  return new SocialUnavailable(`X gave an answer that this server does not understand (${status})`)
}

function searchQuery({ terms, handle }: PostQuery): string | null {
  const author = handle === undefined ? undefined : parseHandle(handle)
  if (author === null || terms.length === 0) return null
  return [...terms.map(searchTerm), ...(author === undefined ? [] : [`from:${author}`]), '-is:retweet'].join(' ')
}

function searchTerm(term: string): string {
  return /^[@#]\w+$/.test(term) ? term : `"${term.replace(/["\\]/g, '\\$&')}"`
}

// The search ignores punctuation, so its results are only candidates.
function containsAll(text: string, terms: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return terms.every((term) => lower.includes(term.toLowerCase()))
}
