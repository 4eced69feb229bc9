import { createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import { encodeCursor, type Page, totalView } from '../../foundation/db/paginate.js'
import type { AgentViewer } from '../../foundation/db/visibility.js'
import { createKept } from '../../foundation/kept.js'
import { type ChosenRequest, readChosen, readsPrivate } from '../tweets/chosen-pages.js'
import type { TweetJsonCache } from '../tweets/json-cache.js'
import { rangeOf, type WordsRequest, type WordsRow, wordLists } from './words.js'

/** Reads first pages of tweets with some words for agents: most of a page is the same for all of them. */
export interface WordsPages {
  /** Returns the page as JSON; undefined if it has to be read for this agent alone. */
  read(viewer: AgentViewer, mode: Mode, request: WordsRequest): Promise<string | undefined>
}

type Mode = keyof typeof wordLists

type Place = Pick<WordsRow, 'id' | 'cursor_key'>

type Found = Omit<Page<Place>, 'rows'> & { readonly rows: readonly Place[] }

// The places on all pages that are kept.
const MOST_PLACES = 50_000

export function createWordsPages(
  deps: { readonly db: Db; readonly jsonCache: TweetJsonCache } & Parameters<typeof createKept>[0],
): WordsPages {
  const { db } = deps
  const pages = createKept<Found>(deps, { name: 'words', most: MOST_PLACES, sizeOf: ({ rows }) => rows.length })
  const readTogether = createBatch((requests: readonly ChosenRequest[]) => readChosen(deps, requests, readsPrivate))

  /** What everybody may see of a list. */
  function findPublic(mode: Mode, request: WordsRequest): Promise<Found> | Found {
    const key = JSON.stringify([mode, Object.entries(request).sort()])
    const make = async () => {
      const { rows, meta } = await wordLists[mode].read(db, undefined, request)
      return { rows: rows.map(({ id, cursor_key }) => ({ id, cursor_key })), meta }
    }
    return pages.find(key) ?? pages.renew(key, make)
  }

  return {
    async read(viewer, mode, request) {
      const isFirst = request.cursor === undefined && (request.page ?? 1) === 1
      if (!isFirst || viewer.hasHidden || request.visibility === 'private') return undefined
      let found = await findPublic(mode, request)
      let page = await readTogether({ viewer, ids: found.rows.map(({ id }) => id) })
      if (page.state !== null && request.visibility === undefined) {
        const own = await wordLists[mode].read(db, viewer, { ...request, visibility: 'private' })
        if (own.meta.total > 0) {
          found = merge(mode, request, found, own)
          page = await readTogether({ viewer, ids: found.rows.map(({ id }) => id) })
        }
      }
      const { rows, marks } = page
      const data = found.rows.flatMap(({ id }) => rows.get(id)?.for(viewer.id, marks) ?? [])
      // Something has left since.
      if (data.length < found.rows.length) return undefined
      return `{"data":[${data.join(',')}],"meta":${JSON.stringify(found.meta)}}`
    },
  }
}

/** Merges the first pages of two parts of a list. */
function merge(mode: Mode, request: WordsRequest, shared: Found, own: Page<WordsRow>): Found {
  const { name, compare } = wordLists[mode]
  const { limit, most } = rangeOf(name, request)
  const all: Place[] = [...shared.rows, ...own.rows].sort(compare)
  const rows = all.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = all.length > limit || shared.meta.nextCursor !== null || own.meta.nextCursor !== null
  const total = Math.min(shared.meta.total + own.meta.total, most)
  const nextCursor = last && hasMore ? encodeCursor(name, last.cursor_key, last.id) : null
  return { rows, meta: { ...shared.meta, ...totalView(total, most), nextCursor } }
}
