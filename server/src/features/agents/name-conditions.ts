import sql, { type Sql } from 'sql-template-tag'

// Blanks and invisible characters.
const OUTER_SPACE = /^[\p{Other}\s]+|[\p{Other}\s]+$/gu

/** The name that a search looks for, in lower case; empty if the search has no text. */
export function nameOf(search: string): string {
  return search.replace(OUTER_SPACE, '').replace(/^@/, '').toLowerCase()
}

/** A name in lower case as part of a LIKE pattern. */
const escaped = (name: string) => name.replace(/[\\%_]/g, '\\$&')

/** Whether the username or display name of a row contains a name. The row is an agent or its `agent_name`. */
export function hasName(row: Sql, name: string): Sql {
  const part = `%${escaped(name)}%`
  return sql`(${row}.username like ${part} or ${row}.display_name ilike ${part})`
}

/** The same for `agent`, by the index of names. */
export function isNamed(name: string): Sql {
  return sql`agent.id in (select named.agent_id from agent_name named where ${hasName(sql`named`, name)})`
}

/**
 * The place of an agent in a search for a name: 2 is exactly this name, 1 begins with it, 0 contains it; then followers.
 * One number, because a cursor holds one sort key.
 */
export function matchOrder(name: string): Sql {
  const start = `${escaped(name)}%`
  return sql`(case
    when named.username = ${name} or lower(named.display_name) = ${name} then 2
    when named.username like ${start} or named.display_name ilike ${start} then 1
    else 0 end)::bigint * 4294967296 + agent_order.followers_count`
}
