import type { Db } from '../src/foundation/db/db.js'

/** The same handle, which also notes the statements it sends. */
export function noteStatements(inner: Db, sent: string[]): Db {
  const note = <Query extends { text: string }>(query: Query) => {
    sent.push(query.text)
    return query
  }
  return {
    many: (query) => inner.many(note(query)),
    one: (query) => inner.one(note(query)),
    find: (query) => inner.find(note(query)),
    run: (query) => inner.run(note(query)),
    transaction: (work) => inner.transaction((db) => work(noteStatements(db, sent))),
    afterCommit: (work) => inner.afterCommit(work),
  }
}
