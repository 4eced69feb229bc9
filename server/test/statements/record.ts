import { Client } from 'pg'
import { vi } from 'vitest'
import type { Db } from '../../src/foundation/db/db.js'

/** Notes every statement that this process sends, by whichever connection, until it is stopped. */
export function recordStatements(): { readonly sent: readonly string[]; stop(): void } {
  const sent: string[] = []
  const { query } = Client.prototype
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    const [asked] = args
    sent.push(typeof asked === 'string' ? asked : (asked as { text: string }).text)
    return Reflect.apply(query, this, args)
  })
  return { sent, stop: () => spy.mockRestore() }
}

// Instances greet each other and order events in the background; who calls is remembered for some seconds.
const LEFT_OUT = /event_log|event_draft using|from api_key|into instance|pg_notify/

/** Runs something and returns the statements it took, without those of the background and of finding out who calls. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { sent, stop } = recordStatements()
  try {
    await work()
    return sent.filter((text) => !LEFT_OUT.test(text))
  } finally {
    stop()
  }
}

/** The same handle, which also notes the statements that go through it: only those, whatever else the process sends. */
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
