import type { Clock } from '../../base/clock.js'
import { Problem } from '../../base/problem.js'
import { parseXPostUrl } from './post-url.js'
import type { SocialNetwork } from './social-network.js'

const KEPT_MS = 60_000
const MOST_KEPT = 5_000

/**
 * Answers a lookup that is repeated within a minute from memory, and parallel ones by a single call, so that impatience
 * does not use up the network's quota. Failures of the network are not remembered.
 */
export function rememberLookups(network: SocialNetwork, clock: Clock): SocialNetwork {
  const answers = new Map<string, { readonly answer: Promise<unknown>; readonly until: number }>()

  function remember<T>(key: string, look: () => Promise<T>): Promise<T> {
    const now = clock.now().getTime()
    const kept = answers.get(key)
    if (kept && kept.until > now)
      return (kept.answer as Promise<T>).catch((error: unknown) => {
        // Another caller may have been refused for a reason of its own: its used up attempts.
        if (error instanceof Problem) return remember(key, look)
        throw error
      })
    const answer = look()
    // The oldest entry is first, since a renewed one moves to the end.
    answers.delete(key)
    answers.set(key, { answer, until: now + KEPT_MS })
    const [oldest] = answers.keys()
    if (answers.size > MOST_KEPT && oldest !== undefined) answers.delete(oldest)
    answer.catch(() => answers.delete(key))
    return answer
  }

  return {
    ...network,
    getPost: (url, options) => remember(`post ${parseXPostUrl(url)?.id ?? url}`, () => network.getPost(url, options)),
    findPosts: (query, options) =>
      remember(`search ${JSON.stringify([query.terms, query.handle])}`, () => network.findPosts(query, options)),
  }
}
