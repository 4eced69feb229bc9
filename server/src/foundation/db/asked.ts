import { MOST_IDS } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Page } from './paginate.js'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What a caller asked for by the names that it knows. */
export interface Asked {
  /** All of them, each once, in lower case and in the order asked. */
  readonly names: readonly string[]
  readonly uuids: readonly string[]
  /** Those that are no UUID: usernames, slugs, hashes. */
  readonly others: readonly string[]
}

/** Reads the `ids` of a list. */
export function readAsked(ids: string): Asked {
  const names = [...new Set(ids.split(',').flatMap((name) => cleanName(name) || []))]
  if (names.length > MOST_IDS) throw Problem.at('ids', `must name at most ${MOST_IDS}, by comma`)
  return {
    names,
    uuids: names.filter((name) => UUID.test(name)),
    others: names.filter((name) => !UUID.test(name)),
  }
}

function cleanName(name: string): string {
  return name.trim().replace(/^@/, '').toLowerCase()
}

/** Puts rows into the order in which they were asked for, as a page of their own. A row counts once, under its first name. */
export function pageOfAsked<Row>(
  { names }: Asked,
  rows: readonly Row[],
  namesOf: (row: Row) => readonly string[],
): Page<Row> {
  const placeOf = (row: Row) =>
    Math.min(
      ...namesOf(row)
        .map((name) => names.indexOf(name))
        .filter((at) => at >= 0),
    )
  const placed = rows.map((row) => ({ row, place: placeOf(row) })).sort((one, other) => one.place - other.place)
  const meta = { page: 1, limit: Math.max(1, names.length), total: rows.length, nextCursor: null }
  return { rows: placed.map(({ row }) => row), meta }
}
