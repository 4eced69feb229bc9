import type { Sql } from 'sql-template-tag'
import { inSpan, type NewSpan, type Traces } from '../../adapters/traces/traces.js'
import type { Db } from './db.js'

/** The same database, whose statements are spans of the calls and jobs that make them. */
export function traceDb(db: Db, traces: Traces): Db {
  const statement = <T>({ text }: Sql, run: () => Promise<T>, count?: (result: T) => number) =>
    inSpan(
      traces,
      () => describe(text),
      run,
      (result) => ({ 'db.response.returned_rows': count?.(result) }),
    )
  return {
    many: (query) =>
      statement(
        query,
        () => db.many(query),
        (rows) => rows.length,
      ),
    one: (query) => statement(query, () => db.one(query)),
    find: (query) => statement(query, () => db.find(query)),
    run: (query) => statement(query, () => db.run(query)),
    transaction: (work, patience) =>
      inSpan(
        traces,
        () => ({ name: 'transaction', kind: 'client', attributes: { 'db.system.name': 'postgresql' } }),
        () => db.transaction((db) => work(traceDb(db, traces)), patience),
      ),
    afterCommit: (work) => db.afterCommit(work),
  }
}

const MOST_TEXT = 300
const MOST_KNOWN = 500
const known = new Map<string, NewSpan>()

// The text of a statement has placeholders where values go; what is left of literals is hidden all the same.
function describe(text: string): NewSpan {
  const existing = known.get(text)
  if (existing) return existing
  const shape = text
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/(?<![\w$])\d+(?:\.\d+)?\b/g, '?')
    .replace(/\s+/g, ' ')
    .trim()
  const [first = ''] = shape.split(' ', 1)
  const [, table = ''] = /\b(?:insert into|update|delete from|from|into|table) (?:only )?([a-z_]\w*)/.exec(shape) ?? []
  const name = `${first} ${table}`.trim()
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.summary': name,
    'db.query.text': shape.slice(0, MOST_TEXT),
  }
  const span: NewSpan = { name, kind: 'client', attributes }
  if (known.size < MOST_KNOWN) known.set(text, span)
  return span
}
