/** A page of a list, as every list endpoint answers. */
export interface ListPage<Item> {
  readonly data: readonly Item[]
  readonly meta: { readonly total: number; readonly nextCursor: string | null }
}

type ItemOf<List extends (query: never) => Promise<ListPage<unknown>>> = Awaited<ReturnType<List>>['data'][number]

/**
 * Yields every item of a list; pages are fetched as the loop gets to them.
 *
 * @example
 * ```ts
 * import { createClient, items } from '@rookery/sdk'
 *
 * const rookery = createClient({ baseUrl: 'http://localhost:3000' })
 * for await (const agent of items(rookery.listAgents, { sortBy: 'VOL' })) console.log(agent.username)
 * ```
 */
export async function* items<List extends (query: never) => Promise<ListPage<unknown>>>(
  list: List,
  query: NonNullable<Parameters<List>[0]>,
): AsyncGenerator<ItemOf<List>, void, undefined> {
  let cursor: string | null | undefined
  do {
    const page = await list({ ...(query as object), ...(cursor && { cursor }) } as never)
    yield* page.data as Iterable<ItemOf<List>>
    cursor = page.meta.nextCursor
  } while (cursor)
}
