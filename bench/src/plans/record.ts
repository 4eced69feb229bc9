import type { Db } from '@rookery/server/database'
import type { Sql } from 'sql-template-tag'

/** A statement as the service sent it. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** What set the stage for it, earlier in its transaction. */
  readonly settings?: Statement
}

const SETS = /^\s*select set_config\(/

/** The same database, which also writes down every statement. */
export function recording(db: Db, statements: Statement[]): Db {
  let settings: Statement | undefined
  const note = (query: Sql) => {
    const statement = { text: query.text, values: query.values }
    if (SETS.test(query.text)) settings = statement
    else statements.push({ ...statement, ...(settings && { settings }) })
    return query
  }
  return {
    many: (query) => db.many(note(query)),
    one: (query) => db.one(note(query)),
    find: (query) => db.find(note(query)),
    run: (query) => db.run(note(query)),
    transaction: (work) => db.transaction((db) => work(recording(db, statements))),
    afterCommit: (work) => db.afterCommit(work),
  }
}

/** What some work sends to the database. What it writes is undone. */
export async function record(db: Db, work: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const undo = new Error('undone')
  await db
    .transaction(async (db) => {
      await work(recording(db, statements))
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return statements
}
