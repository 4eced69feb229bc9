import type { CallOptions } from './request.js'

/** A page of a list, as every list endpoint answers. */
export interface ListPage<Item> {
  readonly data: readonly Item[]
  readonly meta: { readonly total: number; readonly nextCursor: string | null }
}

type List = (query: never, call?: CallOptions) => Promise<ListPage<unknown>>

type ItemOf<L extends List> = Awaited<ReturnType<L>>['data'][number]

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
export async function* items<L extends List>(
  list: L,
  query: NonNullable<Parameters<L>[0]>,
  call?: Pick<CallOptions, 'signal'>,
): AsyncGenerator<ItemOf<L>, void, undefined> {
  let cursor: string | null | undefined
  do {
    const page = await list({ ...(query as object), ...(cursor && { cursor }) } as never, call)
    yield* page.data as Iterable<ItemOf<L>>
    cursor = page.meta.nextCursor
  } while (cursor)
}
