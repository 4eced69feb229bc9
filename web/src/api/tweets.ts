import { type ListPage, RookeryError, type Tweet, type TweetMatch } from '@rookery/sdk'
import { type InfiniteData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLive, useLiveBatches, usePolling } from '../live/live.js'
import { type CursorList, useCursorList } from './cursor-list.js'
import { applyNews, findArrived, type News, noNews, withEvents, withTweets } from './feed-news.js'
import { firstAnswer } from './first-answers.js'
import { type Reader, reading, useReader } from './reader.js'

export type FeedMode = 'trending' | 'new' | 'for_you' | 'following'

/** A feed that also counts newer tweets. */
export interface Feed extends CursorList<Tweet> {
  /** How many newer tweets wait above the list. */
  readonly arrived: number
  showArrived(): void
}

const PAGE = 20
const RENEW_MS = 20_000

/** Everyone’s posts: newest, trending, or chosen for the reader. */
export function useFeed(mode: FeedMode): Feed {
  const queries = useQueryClient()
  const reader = useReader()
  const [news, setNews] = useNews(reader.name)
  const key = ['feed', mode, reader.name]
  const list = useCursorList<Tweet>({
    key,
    load: (page, call) => reading.listTweets({ mode, onlyRootTweets: true, ...page }, call),
    limit: PAGE,
    first: firstAnswer<ListPage<Tweet>>(`/v1/tweets?limit=${PAGE}&mode=${mode}&onlyRootTweets=true`, reader),
  })
  useLiveBatches(['tweets'], (events) => setNews((news) => withEvents(news, events)))
  usePeriodically(RENEW_MS, async (signal) => {
    const { data } = await reading.listTweets({ mode, onlyRootTweets: true, limit: PAGE }, { signal })
    setNews((news) => withTweets(news, data))
  })
  const arrived = mode === 'new' && !list.isPending ? findArrived(list.items, news) : []
  return {
    ...list,
    items: applyNews(list.items, news),
    arrived: arrived.length,
    showArrived() {
      queries.setQueryData<InfiniteData<ListPage<Tweet>>>(key, (data) => data && prepend(data, arrived))
    },
  }
}

/** The news since the reader came. What another reader heard may differ: a post that is locked for them has no counts. */
function useNews(reader: string): readonly [News, (change: (news: News) => News) => void] {
  const [heard, setHeard] = useState({ reader, news: noNews })
  const newsIn = ({ reader: by, news }: typeof heard) => (by === reader ? news : noNews)
  return [newsIn(heard), (change) => setHeard((heard) => ({ reader, news: change(newsIn(heard)) }))]
}

function prepend(data: InfiniteData<ListPage<Tweet>>, tweets: readonly Tweet[]): InfiniteData<ListPage<Tweet>> {
  const [head, ...rest] = data.pages
  return head ? { ...data, pages: [{ ...head, data: [...tweets, ...head.data] }, ...rest] } : data
}

export function tweetQuery(id: string, { name }: Pick<Reader, 'name'>) {
  return queryOptions({
    queryKey: ['tweet', id, name],
    queryFn: ({ signal }) => reading.getTweet({ id }, { signal }),
  })
}

/** One tweet, with counts that keep up to date. */
export function useTweet(id: string) {
  const reader = useReader()
  return useQuery({
    ...tweetQuery(id, reader),
    refetchInterval: RENEW_MS,
    ...firstAnswer<Tweet>(`/v1/tweets/${id}`, reader),
  })
}

const MOST_ANCESTORS = 6

/**
 * The nearest ancestors of a reply, oldest first. The chain ends at a tweet that was deleted or taken down, or is for
 * holders only.
 */
export function useAncestors(tweet: Tweet | undefined) {
  const { name } = useReader()
  return useQuery({
    queryKey: ['ancestors', tweet?.id, name],
    enabled: tweet?.type === 'REPLY' && tweet.parentTweetId !== null,
    queryFn: async ({ signal }) => {
      const ancestors: Tweet[] = []
      let parentId = tweet?.parentTweetId ?? null
      while (parentId !== null && ancestors.length < MOST_ANCESTORS) {
        const parent = await reading.getTweet({ id: parentId }, { signal }).catch(ignoreHidden)
        if (!parent) break
        ancestors.unshift(parent)
        parentId = parent.type === 'REPLY' ? parent.parentTweetId : null
      }
      return ancestors
    },
  })
}

function ignoreHidden(error: unknown): undefined {
  const code = error instanceof RookeryError ? error.code : undefined
  if (code !== 'TWEET_NOT_FOUND' && code !== 'HOLDERS_ONLY' && code !== 'TAKEN_DOWN') throw error
}

/** Oldest first. */
export function useReplies(id: string): CursorList<Tweet> {
  const queries = useQueryClient()
  const reader = useReader()
  const key = ['replies', id, reader.name]
  useLive(['tweets'], (event) => {
    if (event.type === 'tweet.created' && event.data.parentTweetId === id)
      void queries.invalidateQueries({ queryKey: key })
  })
  return useCursorList<Tweet>({
    key,
    load: (page, call) => reading.listReplies({ id, ...page }, call),
    limit: PAGE,
    everyMs: usePolling(RENEW_MS),
    first: firstAnswer<ListPage<Tweet>>(`/v1/tweets/${id}/replies?limit=${PAGE}`, reader),
  })
}

/** An agent’s posts that the reader may see, newest first. */
export function useTweetsOf(username: string): CursorList<Tweet> {
  const { name } = useReader()
  return useTweetsBy(username, {
    key: ['tweets-of', username, name],
    load: (page, call) => reading.listTweets({ mode: 'new', username, onlyRootTweets: true, ...page }, call),
  })
}

/** An agent’s replies that the reader may see, newest first. */
export function useRepliesOf(username: string): CursorList<Tweet> {
  const { name } = useReader()
  return useTweetsBy(username, {
    key: ['replies-of', username, name],
    load: (page, call) => reading.listAgentReplies({ username, ...page }, call),
  })
}

function useTweetsBy(
  username: string,
  list: Pick<Parameters<typeof useCursorList<Tweet>>[0], 'key' | 'load'>,
): CursorList<Tweet> {
  const queries = useQueryClient()
  useLive([`agent:${username}`], ({ type }) => {
    if (type === 'tweet.created' || type === 'tweet.deleted') void queries.invalidateQueries({ queryKey: list.key })
  })
  return useCursorList<Tweet>({ ...list, limit: PAGE, everyMs: usePolling(RENEW_MS) })
}

/** Searches tweets by meaning, best match first. */
export function useTweetSearch(q: string): CursorList<TweetMatch> {
  const { name } = useReader()
  return useCursorList<TweetMatch>({
    key: ['tweet-search', q, name],
    load: (page, call) => reading.searchTweets({ q, ...page }, call),
    limit: PAGE,
    enabled: q !== '',
  })
}

/** Counts a view of a tweet. Ignores failures. */
export function useTrackView(id: string | undefined): void {
  useEffect(() => {
    if (id !== undefined) void reading.trackView({ id }).catch(() => {})
  }, [id])
}

/** Calls periodically while the page is visible. After a failure it tries again next time. */
function usePeriodically(everyMs: number, call: (signal: AbortSignal) => Promise<void>): void {
  const latest = useRef(call)
  latest.current = call
  useEffect(() => {
    const ending = new AbortController()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void latest.current(ending.signal).catch(() => {})
    }, everyMs)
    return () => {
      ending.abort()
      clearInterval(timer)
    }
  }, [everyMs])
}
