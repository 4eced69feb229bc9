import { type Batch, createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import { encodeCursor } from '../../foundation/db/paginate.js'
import type { AgentViewer } from '../../foundation/db/visibility.js'
import type { MediaUrls } from '../../foundation/media-urls.js'
import type { TweetJsonCache } from '../tweets/json-cache.js'
import { type PageParts, readParts } from '../tweets/page-parts.js'
import { KNOWN_MS, readVersions } from '../tweets/versions.js'
import { feeds, type KeptPage, type Mode, type PageRow, pageQuery, type RestRow } from './first-page-query.js'

/** Reads the first page of a feed for many agents at once: most of it is the same for all of them. */
export interface FirstPages {
  /** Returns the page as JSON. */
  read(mode: Mode, viewer: AgentViewer, limit: number): Promise<string | Buffer>
}

interface FirstPagesDeps {
  readonly db: Db
  readonly jsonCache: TweetJsonCache
  readonly mediaUrls: Pick<MediaUrls, 'window'>
}

/** What is kept of the pages of one kind. */
interface State {
  shared: SharedPage | undefined
}

type JsonOf = PageParts<PageRow, unknown>['jsonOf']

export function createFirstPages(deps: FirstPagesDeps): FirstPages {
  const batches = new Map<string, Batch<AgentViewer, string | Buffer>>()
  function open(mode: Mode, limit: number) {
    const state: State = { shared: undefined }
    return createBatch((viewers: readonly AgentViewer[]) => readPages(deps, state, { mode, limit }, viewers))
  }
  return {
    read(mode, viewer, limit) {
      const key = `${mode} ${limit}`
      const batch = batches.get(key) ?? open(mode, limit)
      batches.set(key, batch)
      return batch(viewer)
    },
  }
}

/** Everybody's page, and the bytes of it by the total that they show. */
interface SharedPage extends KeptPage {
  readonly readAt: number
  readonly text: string
  readonly total: number
  readonly window: number
  readonly jsonOf: JsonOf
  readonly bytes: Map<number, Buffer>
}

/** Reads a first page for each viewer; the public tweets are read once for all of them. */
async function readPages(
  deps: FirstPagesDeps,
  state: State,
  { mode, limit }: { readonly mode: Mode; readonly limit: number },
  viewers: readonly AgentViewer[],
): Promise<(string | Buffer)[]> {
  const window = deps.mediaUrls.window()
  const isRecent = performance.now() - (state.shared?.readAt ?? 0) < KNOWN_MS
  const kept = isRecent && state.shared?.window === window ? state.shared : undefined
  let listed: readonly PageRow[] = []
  const { rows, jsonOf, marks, rest } = await readParts<PageRow, RestRow>(
    deps,
    pageQuery(mode, limit, viewers, kept),
    (rest) => {
      const text = sharedOf(rest)?.shared ?? null
      listed = text === null || text === kept?.text ? [] : sharedRows(mode, text)
      return listed
    },
  )
  const totals = new Map(rest.map(({ n, total }) => [n, total ?? 0]))
  const shared = toShared(kept, { ...sharedOf(rest), listed, jsonOf, window })
  state.shared = shared
  const pageJson = (all: readonly PageRow[], jsonOf: JsonOf, total: number, viewerId: string) => {
    const page = all.slice(0, limit)
    const last = all.length > limit ? page.at(-1) : undefined
    const nextCursor = last ? encodeCursor(`tweets:${mode}`, last.cursor_key, last.id) : null
    const data = page.map((row) => jsonOf(row)?.for(viewerId, marks)).join(',')
    return `{"data":[${data}],"meta":${JSON.stringify({ page: 1, limit, total, nextCursor })}}`
  }
  return viewers.map(({ id }, n) => {
    const total = shared.total + (totals.get(n) ?? 0)
    const own = rows.filter((row) => row.n === n && jsonOf(row))
    if (own.length > 0) {
      const readable = new Set(own.map(({ id }) => id))
      const all = [...own, ...shared.rows.filter(({ id }) => !readable.has(id))].sort(feeds[mode].compare)
      return pageJson(all, (row) => jsonOf(row) ?? shared.jsonOf(row), total, id)
    }
    if (marks.hasAny(id)) return pageJson(shared.rows, shared.jsonOf, total, id)
    // Most viewers see only public tweets and have no marks on them: those with the same total share the same bytes.
    const bytes = shared.bytes.get(total) ?? Buffer.from(pageJson(shared.rows, shared.jsonOf, total, id))
    shared.bytes.set(total, bytes)
    return bytes
  })
}

const sharedOf = (rest: readonly RestRow[]) => rest.find(({ n }) => n === null)

/** Everybody's page as it was just read. What is kept of it stays while it is the same. */
function toShared(
  kept: SharedPage | undefined,
  read: Partial<RestRow> & Pick<SharedPage, 'jsonOf' | 'window'> & { readonly listed: readonly PageRow[] },
): SharedPage {
  const { snapshot, total, shared: text, listed, jsonOf, window } = read
  if (kept && text === null) return kept
  const now = { readAt: performance.now(), snapshot: snapshot ?? '', text: text ?? '', total: total ?? 0, window }
  if (kept && kept.text === text) return { ...kept, ...now }
  return { ...now, rows: listed.filter((row) => jsonOf(row)), jsonOf, bytes: new Map() }
}

const sharedRows = (mode: Mode, text: string): PageRow[] =>
  readVersions(text)
    .map(({ key, ...row }) => ({ ...row, n: null, cursor_key: key }))
    .sort(feeds[mode].compare)
