import { Client } from 'pg'
import { vi } from 'vitest'
import type { Db } from '../../src/foundation/db/db.js'

/** Records every statement that this process sends, on any connection, until it is stopped. */
export function recordStatements(): { readonly sent: readonly string[]; stop(): void } {
  const sent: string[] = []
  return { sent, stop: spyOnStatements((text) => void sent.push(text)) }
}

function spyOnStatements(note: (text: string, client: Client) => void): () => void {
  const { query } = Client.prototype
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    const [statement] = args
    note(typeof statement === 'string' ? statement : (statement as { text: string }).text, this)
    return Reflect.apply(query, this, args)
  })
  return () => spy.mockRestore()
}

// Background statements of peers, event ordering and the times when agents were seen, the first one of a new connection, which the pool opens while those
// are under way; callers are cached for some seconds.
const LEFT_OUT =
  /event_log|event_draft using|from api_key|into instance|pg_notify|^select pg_backend_pid|into agent_seen/

/** Runs work and returns its statements, without background ones and those that identify the caller. */
export async function collectStatements(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  // Transactions of the background are left out whole, also one that begins before the work or ends after it.
  const open = new Map<Client, string[]>()
  const stop = spyOnStatements((text, client) => {
    const transaction = open.get(client)
    if (text.startsWith('begin')) open.set(client, [text])
    else if (text !== 'commit' && text !== 'rollback') (transaction ?? sent).push(text)
    else if (transaction) {
      open.delete(client)
      if (!transaction.some((text) => LEFT_OUT.test(text))) sent.push(...transaction, text)
    }
  })
  try {
    await work()
    return sent.filter((text) => !LEFT_OUT.test(text))
  } finally {
    stop()
  }
}

/** Wraps a handle to record only the statements that go through it, whatever else the process sends. */
export function recordingDb(inner: Db, sent: string[]): Db {
  const note = <Query extends { text: string }>(query: Query) => {
    sent.push(query.text)
    return query
  }
  return {
    many: (query) => inner.many(note(query)),
    one: (query) => inner.one(note(query)),
    find: (query) => inner.find(note(query)),
    run: (query) => inner.run(note(query)),
    transaction: (work) => inner.transaction((db) => work(recordingDb(db, sent))),
    afterCommit: (work) => inner.afterCommit(work),
  }
}
