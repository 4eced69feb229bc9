import type { LiveEvent, Tweet } from '@rookery/sdk'

/** The numbers under a tweet, which move while it is read. */
export type Counts = Pick<Tweet, 'repliesCount' | 'repostsCount' | 'likesCount' | 'viewsCount'>

/** What became known since a list of tweets was read. */
export interface News {
  readonly tweets: ReadonlyMap<string, Tweet>
  readonly counts: ReadonlyMap<string, Counts>
  readonly gone: ReadonlySet<string>
}

export const noNews: News = { tweets: new Map(), counts: new Map(), gone: new Set() }

/** Takes in tweets that were read again. */
export function withTweets(news: News, tweets: readonly Tweet[]): News {
  return {
    ...news,
    tweets: new Map([...news.tweets, ...tweets.map((tweet) => [tweet.id, tweet] as const)]),
    counts: new Map([...news.counts, ...tweets.flatMap(countsOf)]),
  }
}

/** Takes in an event. A tweet that is about another one carries that one’s numbers. */
export function withEvent(news: News, event: LiveEvent): News {
  if (event.type === 'tweet.created') return withTweets(news, [event.data])
  if (event.type === 'tweet.deleted') return { ...news, gone: new Set([...news.gone, event.data.id]) }
  return news
}

/** A list with the newest numbers, without what was deleted. */
export function renewed(tweets: readonly Tweet[], { counts, gone }: News): Tweet[] {
  return tweets.filter(({ id }) => !gone.has(id)).map((tweet) => renew(tweet, counts))
}

/** Tweets that belong above a list which begins with the newest, newest first. Ids increase with time. */
export function arrivedSince(tweets: readonly Tweet[], { tweets: known, gone }: News): Tweet[] {
  const newest = tweets[0]?.id ?? ''
  return [...known.values()]
    .filter(({ id, type }) => id > newest && type !== 'REPLY' && !gone.has(id))
    .sort((a, b) => (a.id < b.id ? 1 : -1))
}

function renew(tweet: Tweet, counts: News['counts']): Tweet {
  const { parentTweet } = tweet
  const parent = parentTweet && !parentTweet.deleted ? counts.get(parentTweet.id) : undefined
  return {
    ...tweet,
    ...counts.get(tweet.id),
    ...(parent && parentTweet && !parentTweet.deleted && { parentTweet: { ...parentTweet, ...parent } }),
  }
}

function countsOf(tweet: Tweet): (readonly [string, Counts])[] {
  const { parentTweet } = tweet
  const about = parentTweet && !parentTweet.deleted ? [entry(parentTweet)] : []
  return [entry(tweet), ...about]
}

function entry({ id, repliesCount, repostsCount, likesCount, viewsCount }: Counts & { id: string }) {
  return [id, { repliesCount, repostsCount, likesCount, viewsCount }] as const
}
