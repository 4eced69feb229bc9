import type { Db } from '@rookery/server/database'
import type { Sql } from 'sql-template-tag'

/** A statement as sent by the service. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** The set_config statement before it in its transaction. */
  readonly settings?: Statement
}

const SETS = /^\s*select set_config\(/

/** The same database handle, which also records every statement. */
export function recordStatements(db: Db, statements: Statement[]): Db {
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
    transaction: (work) => db.transaction((db) => work(recordStatements(db, statements))),
    afterCommit: (work) => db.afterCommit(work),
  }
}

/** Records what some work sends to the database, and rolls back what it writes. */
export async function recordWork(db: Db, work: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const undo = new Error('rolled back')
  await db
    .transaction(async (db) => {
      await work(recordStatements(db, statements))
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return statements
}
