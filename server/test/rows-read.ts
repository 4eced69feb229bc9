import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../src/foundation/db/db.js'

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Runs a statement and counts the rows it read from tables whose names begin with `tables`. */
export async function countRowsRead(db: Db, statement: Sql, tables: string): Promise<number> {
  const explained = sql`explain (analyze, format json) ${statement}`
  const { 'QUERY PLAN': plans } = await db.one<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained)
  const rowsOf = (node: Plan): number => {
    const isAsked = node['Relation Name']?.startsWith(tables)
    const read = isAsked ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0
    return read * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)
  }
  return rowsOf(plans[0].Plan)
}
