import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import { isAgentViewer } from '../../foundation/db/visibility.js'
import type { TweetJsonCache } from './json-cache.js'
import { marksOf, NO_MARKS, type ViewerMarks } from './marks.js'
import {
  parentColumns,
  parentMarksOf,
  personOf,
  readSeen,
  refusalOfSeen,
  type SeenColumns,
  type SeeRequest,
  type ThreadRow,
  tweetColumns,
} from './queries.js'
import { type StampedRow, stampedColumns } from './versions.js'
import type { TweetJson } from './view.js'

interface ShowDeps {
  readonly db: Db
  readonly jsonCache: TweetJsonCache
}

/**
 * Reads single tweets as JSON for several viewers. Who may see them and the marks are always asked; of a tweet whose JSON is
 * kept, only the version is read besides.
 */
export async function showTweets(deps: ShowDeps, requests: readonly SeeRequest[]): Promise<(string | Error)[]> {
  const answers: (string | Error)[] = []
  const show = async (places: readonly number[]) => {
    const texts = await showTogether(
      deps,
      places.flatMap((place) => requests[place] ?? []),
    )
    for (const [n, place] of places.entries()) answers[place] = texts[n] ?? new Problem('TWEET_NOT_FOUND')
  }
  await Promise.all(groupRequests(deps, requests).map(show))
  return answers
}

/** The places of requests that one statement can answer: a person may be several agents and wallets at once. */
function groupRequests({ jsonCache }: ShowDeps, requests: readonly SeeRequest[]): number[][] {
  const groups = new Map<string, number[]>()
  for (const [place, { viewer, id }] of requests.entries()) {
    const key = personOf(viewer) ? `person ${place}` : `kept ${jsonCache.has(id)}`
    groups.set(key, [...(groups.get(key) ?? []), place])
  }
  return [...groups.values()]
}

async function showTogether({ db, jsonCache }: ShowDeps, requests: readonly SeeRequest[]): Promise<(string | Error)[]> {
  const person = personOf(requests[0]?.viewer)
  if (!requests.every(({ id }) => jsonCache.has(id))) {
    const rows = await readSeen<ThreadRow & StampedRow>(db, requests, wholeColumns, person)
    return rows.map((row, n) => refusalOfSeen(row) ?? writeFor(requests[n], row, jsonCache.keep(row)))
  }
  const rows = await readSeen<StampedRow>(db, requests, keptColumns, person)
  const jsonOf = await jsonCache.load(rows.filter((row) => !refusalOfSeen(row)))
  return rows.map((row, n) => refusalOfSeen(row) ?? writeFor(requests[n], row, jsonOf(row)))
}

const wholeColumns = (parentIsVisible: Sql) =>
  sql`${tweetColumns}, ${parentColumns(parentIsVisible)}, ${stampedColumns}`
const keptColumns = (parentIsVisible: Sql) => sql`${stampedColumns}, ${parentIsVisible} as p_is_visible`

function writeFor(
  request: SeeRequest | undefined,
  row: StampedRow & SeenColumns,
  json: TweetJson | undefined,
): string | Error {
  // It has been deleted since.
  if (!json) return new Problem('TWEET_NOT_FOUND')
  if (!isAgentViewer(request?.viewer)) return json.plain
  const find = (_: string, tweetId: string) => marksOrNone(tweetId === row.id ? marksOf(row) : parentMarksOf(row))
  return json.for(request.viewer.id, Object.assign(find, { hasAny: () => true }))
}

const marksOrNone = (marks: ViewerMarks) => (marks.isLiked || marks.isReplied || marks.isReposted ? marks : NO_MARKS)
