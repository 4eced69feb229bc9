import { type TSchema, Type } from 'typebox'
import { Count, nullable, Plain } from './shapes.js'

/** How deep `page` and `limit` reach; beyond it a caller continues with the cursor. */
export const MAX_PAGE_DEPTH = 10_000

/** Members of the query of every list. */
export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'Page number, from 1.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items per page.' })),
  cursor: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'meta.nextCursor of the previous page. Stable while items are added; replaces page.',
    }),
  ),
}

/** The member of a query by which a caller asks for less, on lists and on single reads of what is long. */
export const fieldsQuery = {
  fields: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'Only these members, by comma, inner ones by dots: id,content,agent.username.',
    }),
  ),
}

/** How many things one call may name by `ids`. */
export const MOST_IDS = 100

/** The member of a query by which a caller asks for items that it knows by name. */
export function idsQuery(what: string) {
  return {
    ids: Type.Optional(
      Type.String({
        format: 'name',
        maxLength: 8000,
        description: `Only these, in this order: up to ${MOST_IDS} ${what}, by comma. Unknown ones are left out; filters and pages are ignored.`,
      }),
    ),
  }
}

/** Where a page is in its list. */
export const PageMeta = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    total: Count('Items in the whole list; at least this many if totalIsLowerBound is true.'),
    totalIsLowerBound: Type.Optional(
      Type.Boolean({ description: 'True if counting stopped at total, so that there may be more items.' }),
    ),
    nextCursor: nullable(Plain({ description: 'Pass as cursor for the next page; null at the end.' })),
  },
  { title: 'PageMeta' },
)

/** A page of a list of `item`. */
export function pageOf<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item), meta: PageMeta })
}
