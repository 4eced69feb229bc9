import type { agents, Input } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Page, PageRequest } from '../../foundation/db/paginate.js'
import { hidingViewerId, unblockedBy, type Viewer } from '../../foundation/db/visibility.js'
import { isNamed, nameOf } from './name-conditions.js'
import { countNamed, findNamedIds, listNamed } from './names.js'
import { type AgentRow, filterConditions, findAgents, isListed, listAgents } from './queries.js'

/** Agents that do not have the name that is searched for, but match its words or meaning; best match first. */
export interface Related {
  readonly total: number
  /** Whether there may be more that no list shows. */
  readonly isCut: boolean
  /** Where the request continues; undefined unless its cursor is one of these. */
  readonly offset: number | undefined
  read(offset: number, limit: number): readonly { readonly id: string }[]
  /** The cursor for the part from an offset on; null at the end. */
  cursorAt(offset: number): string | null
}

export interface AgentSearch {
  /** Finds agents without the name. `where` must derive from `filters`, which identify the cached ranking. */
  findRelated(
    viewer: Viewer | undefined,
    search: string,
    filters: object,
    request: PageRequest,
    where: readonly Sql[],
  ): Promise<Related>
}

const MAX_LOOKED_UP = 1_000

type ListRequest = Input<typeof agents.listAgents>

/** Lists agents; with `search`, those with the name first, and then those that only its words or meaning find. */
export async function findAgentsPage(
  db: Db,
  agentSearch: AgentSearch,
  { search = '', ...input }: ListRequest,
  viewer?: Viewer,
): Promise<Page<AgentRow>> {
  const name = nameOf(search)
  const request = { ...input, viewer }
  if (name === '') return listAgents(db, request)
  const { page: _, limit: __, cursor: ___, ...wanted } = input
  const where = [...filterConditions(wanted), ...unblockedBy(viewer, sql`agent.id`)]
  const filters = { ...wanted, viewer: hidingViewerId(viewer) }
  const related = await agentSearch.findRelated(viewer, search, filters, request, [isListed, ...where])
  if (request.sortBy === undefined) return listMatches(db, name, where, request, related)
  const ids = related.read(0, related.total).map(({ id }) => id)
  const { rows, meta } = await listAgents(db, {
    ...request,
    match: await matchCondition(db, name, ids),
  })
  return { rows, meta: related.isCut ? { ...meta, totalIsLowerBound: true } : meta }
}

/**
 * Whether an agent has a name or one of these ids. Few agents are named by their ids, which the list looks up; for a common
 * name the list checks agent after agent in its order, and soon has a page.
 */
export async function matchCondition(db: Db, name: string, ids: readonly string[], most = MAX_LOOKED_UP): Promise<Sql> {
  const named = await findNamedIds(db, name, most + 1)
  if (named.length <= most) return sql`agent.id = any(${[...named, ...ids]}::uuid[])`
  return sql`(${isNamed(name)} or agent.id = any(${ids}::uuid[]))`
}

async function listMatches(
  db: Db,
  name: string,
  where: readonly Sql[],
  request: PageRequest & { readonly viewer: Viewer | undefined },
  related: Related,
): Promise<Page<AgentRow>> {
  const { page = 1, limit = 20 } = request
  const named =
    related.offset === undefined
      ? await listNamed(db, name, where, request)
      : { rows: [], meta: { page: 1, limit, ...(await countNamed(db, name, where)), nextCursor: null } }
  const { meta } = named
  const isAfterNamed = named.rows.length === 0 && request.cursor === undefined
  const offset = related.offset ?? (isAfterNamed ? Math.max((page - 1) * limit - meta.total, 0) : 0)
  const ids = related.read(offset, limit - named.rows.length).map(({ id }) => id)
  const byId = ids.length === 0 ? undefined : await findAgents(db, ids, unblockedBy(request.viewer, sql`agent.id`))
  return {
    // The ranking may be older than a suspension.
    rows: [...named.rows, ...ids.flatMap((id) => byId?.get(id) ?? []).filter(({ status }) => status !== 'suspended')],
    meta: {
      ...meta,
      total: meta.total + related.total,
      ...(related.isCut && { totalIsLowerBound: true as const }),
      nextCursor: meta.nextCursor ?? related.cursorAt(offset + ids.length),
    },
  }
}
