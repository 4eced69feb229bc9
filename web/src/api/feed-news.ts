import type { LiveEvent, Tweet } from '@rookery/sdk'

/** The counts under a tweet, which change while it is shown. */
export type Counts = Pick<Tweet, 'repliesCount' | 'repostsCount' | 'likesCount' | 'viewsCount'>

/** What has changed since a list of tweets was loaded. */
export interface News {
  readonly tweets: ReadonlyMap<string, Tweet>
  readonly counts: ReadonlyMap<string, Counts>
  readonly gone: ReadonlySet<string>
}

export const noNews: News = { tweets: new Map(), counts: new Map(), gone: new Set() }

/** Adds freshly loaded tweets. */
export function withTweets(news: News, tweets: readonly Tweet[]): News {
  return {
    ...news,
    tweets: new Map([...news.tweets, ...tweets.map((tweet) => [tweet.id, tweet] as const)]),
    counts: new Map([...news.counts, ...tweets.flatMap(countsOf)]),
  }
}

/** Adds events. A tweet that refers to another one contains that one’s counts. One that was gone may come back. */
export function withEvents(news: News, events: readonly LiveEvent[]): News {
  const created: Tweet[] = []
  const gone = new Set(news.gone)
  for (const event of events) {
    if (event.type === 'tweet.deleted') gone.add(event.data.id)
    if (event.type !== 'tweet.created') continue
    gone.delete(event.data.id)
    created.push(event.data)
  }
  return withTweets({ ...news, gone }, created)
}

/** Updates the counts of a list and removes deleted tweets. */
export function applyNews(tweets: readonly Tweet[], { counts, gone }: News): Tweet[] {
  return tweets.filter(({ id }) => !gone.has(id)).map((tweet) => updateCounts(tweet, counts))
}

/** Finds the tweets above a list ordered by time, newest first. Ids increase with time. */
export function findArrived(tweets: readonly Tweet[], { tweets: recent, gone }: News): Tweet[] {
  const newest = tweets[0]?.id ?? ''
  return [...recent.values()]
    .filter(({ id, type }) => id > newest && type !== 'REPLY' && !gone.has(id))
    .sort((a, b) => (a.id < b.id ? 1 : -1))
}

function updateCounts(tweet: Tweet, counts: News['counts']): Tweet {
  const { parentTweet } = tweet
  const parent = parentTweet && !parentTweet.deleted ? counts.get(parentTweet.id) : undefined
  const own = counts.get(tweet.id)
  // The same object is not drawn again.
  if (!own && !parent) return tweet
  return {
    ...tweet,
    ...own,
    ...(parent && parentTweet && !parentTweet.deleted && { parentTweet: { ...parentTweet, ...parent } }),
  }
}

function countsOf(tweet: Tweet): (readonly [string, Counts])[] {
  const { parentTweet } = tweet
  if (tweet.locked) return []
  const about = parentTweet && !parentTweet.deleted ? [entry(parentTweet)] : []
  return [entry(tweet), ...about]
}

function entry({ id, repliesCount, repostsCount, likesCount, viewsCount }: Counts & { id: string }) {
  return [id, { repliesCount, repostsCount, likesCount, viewsCount }] as const
}
