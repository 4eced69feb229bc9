import type { CallBudget } from './call-budget.js'
import { DEFAULT_TIMEOUT_MS, getJson, stringAt } from './get-json.js'
import { firstParagraphText } from './html-text.js'
import { parseXPostUrl, parseXProfileUrl, type XPostAddress, xPostUrl } from './post-url.js'
import { type SocialNetwork, type SocialPost, SocialUnavailable } from './social-network.js'

// X has moved this service between its two names, each redirecting to the other.
const OWN_ORIGINS = ['https://publish.x.com', 'https://publish.twitter.com']

/** X through its public oEmbed service: no credentials, no search, no counts and no account ids. */
export function createXOembedSocialNetwork({
  now,
  budget,
  baseUrl = 'https://publish.x.com',
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: {
  now: () => number
  budget?: CallBudget
  baseUrl?: string
  timeoutMs?: number
}): SocialNetwork {
  const redirectOrigins = [new URL(baseUrl).origin, ...OWN_ORIGINS]

  return {
    kind: 'x-oembed',
    ...(budget && { callsLeft: budget.left }),

    async getPost(url, { beforeCall } = {}) {
      const address = parseXPostUrl(url)
      if (address === null) return { found: false, reason: 'bad_url' }
      await beforeCall?.()
      await budget?.spend()
      const query = new URLSearchParams({ url: urlToRequest(address), omit_script: '1', hide_thread: '1' })
      const { status, body } = await getJson(`${baseUrl}/oembed?${query}`, { redirectOrigins, timeoutMs, now })
      if (status === 404) return { found: false, reason: 'not_found' }
      if (status === 403) return { found: false, reason: 'protected' }
      if (status !== 200) throw new SocialUnavailable(`X oEmbed answered ${status}`)
      return { found: true, post: readPost(body, address) }
    },

    async findPosts() {
      return null
    },
  }
}

// The service accepts this form of address under both host names, and only uses the id.
function urlToRequest({ handle, id }: XPostAddress): string {
  return `https://twitter.com/${handle ?? 'i'}/status/${id}`
}

function readPost(body: unknown, requested: XPostAddress): SocialPost {
  const text = firstParagraphText(stringAt(body, 'html') ?? '')
  const handle = parseXProfileUrl(stringAt(body, 'author_url') ?? '')
  if (text === null || handle === null) throw new SocialUnavailable('X oEmbed gave an answer without text or author')
  // For the id of a repost the service returns the original post.
  const id = parseXPostUrl(stringAt(body, 'url') ?? '')?.id ?? requested.id
  return {
    id,
    url: xPostUrl(handle, id),
    text,
    author: {
      id: `handle:${handle.toLowerCase()}`,
      handle,
      name: stringAt(body, 'author_name') ?? handle,
      followersCount: null,
      followingCount: null,
    },
  }
}
