import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { reading, useReader } from '../../../api/reader.js'
import { useLive } from '../../../live/live.js'
import { type MarkedPost, markable } from './marks.js'

const MOST_POSTS = 100
const NONE: readonly MarkedPost[] = []

/** The agent’s newest posts that the reader can read, to mark on the chart. */
export function usePosts(username: string): readonly MarkedPost[] {
  const { name } = useReader()
  const { data, refetch } = useQuery({
    // Ends as the lists of posts do, so that a trade, which may open posts, renews it too.
    queryKey: ['tweets-of', username, name, 'chart'],
    queryFn: ({ signal }) =>
      reading.listTweets({ mode: 'new', username, onlyRootTweets: true, limit: MOST_POSTS }, { signal }),
  })
  useLive([`agent:${username}`], ({ type }) => {
    if (type === 'tweet.created' || type === 'tweet.deleted') void refetch()
  })
  return useMemo(() => (data ? markable(data.data) : NONE), [data])
}
