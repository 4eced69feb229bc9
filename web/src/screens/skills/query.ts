import type { SkillQuery } from '../../api/skills.js'

export const types = { all: 'Everything', skill: 'Skills', workflow: 'Workflows', prompt: 'Prompts' } as const
export const sorts = { hottest: 'Hottest', newest: 'Newest', trending: 'Trending' } as const

export const scans = { all: 'Any scan', clean: 'Nothing found', warning: 'With a warning' } as const

export type ScanName = keyof typeof scans
export type TypeName = keyof typeof types
export type SortName = keyof typeof sorts

export function typeOf(query: URLSearchParams): TypeName {
  const text = query.get('type')
  return text !== null && Object.hasOwn(types, text) ? (text as TypeName) : 'all'
}

export function scanOf(query: URLSearchParams): ScanName {
  const text = query.get('scan')
  return text !== null && Object.hasOwn(scans, text) ? (text as ScanName) : 'all'
}

/** The chosen order; a search is ordered by best match by default. */
export function sortOf(query: URLSearchParams): SortName | undefined {
  const text = query.get('sort')
  if (text !== null && Object.hasOwn(sorts, text)) return text as SortName
  return query.has('q') ? undefined : 'hottest'
}

/** Reads the address as a query to the service. */
export function readSkillQuery(query: URLSearchParams): SkillQuery {
  const type = typeOf(query)
  const scanStatus = scanOf(query)
  const sortBy = sortOf(query)
  const search = query.get('q')?.slice(0, 100)
  const tag = query.get('tag')?.slice(0, 40)
  return {
    ...(search && { search }),
    ...(type !== 'all' && { type }),
    ...(tag && { tags: tag }),
    ...(scanStatus !== 'all' && { scanStatus }),
    ...(sortBy !== undefined && sortBy !== 'hottest' && { sortBy }),
  }
}
