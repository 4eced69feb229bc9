import type { CallOptions, ListPage } from '@rookery/sdk'
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Polling } from '../live/live.js'
import type { FirstAnswer } from './first-answers.js'

/** The part of a request that continues from the previous page. */
export interface PageRequest {
  readonly limit: number
  readonly cursor?: string
}

/** A list that grows page by page. */
export interface CursorList<Item> {
  readonly items: readonly Item[]
  /** Items in the whole list; undefined until the first page of the current query has arrived. */
  readonly total: number | undefined
  readonly isPending: boolean
  /** Whether the items belong to the previous query while the current one is loading. */
  readonly isOutdated: boolean
  readonly error: Error | null
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  loadMore(): void
  retry(): void
}

export function useCursorList<Item extends { readonly id: string }>({
  key,
  load,
  limit = 30,
  everyMs = false,
  enabled = true,
  first = {},
}: {
  key: QueryKey
  load: (page: PageRequest, call: CallOptions) => Promise<ListPage<Item>>
  limit?: number
  /** How often the list is fetched again. */
  everyMs?: number | false | Polling
  enabled?: boolean
  /** The first page of the list, if the HTML contained it. */
  first?: FirstAnswer<ListPage<Item>>
}): CursorList<Item> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load({ limit, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.meta.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
    enabled,
    ...(first.initialData && {
      initialData: { pages: [first.initialData], pageParams: [null] },
      initialDataUpdatedAt: first.initialDataUpdatedAt,
    }),
  })
  const { data, fetchNextPage, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  const items = useMemo(() => distinct(data?.pages.flatMap((page) => page.data) ?? []), [data])
  return {
    items,
    total: query.isPlaceholderData ? undefined : data?.pages[0]?.meta.total,
    isPending: query.isPending,
    isOutdated: query.isPlaceholderData,
    error: query.error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void fetchNextPage({ cancelRefetch: false }),
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  }
}

// An item that moved between two requests may be on both pages.
function distinct<Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
