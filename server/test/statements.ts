import { Client } from 'pg'
import { vi } from 'vitest'

// Instances greet each other and order events in the background; who calls is remembered for some seconds.
const LEFT_OUT = /event_log|event_draft using|from api_key|into instance|pg_notify/

/** Runs something and tells which statements it took, without those of the background and of finding out who calls. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(Client.prototype, 'query')
  try {
    await work()
    return spy.mock.calls
      .map(([query]) => (typeof query === 'string' ? query : (query as { text: string }).text))
      .filter((text) => !LEFT_OUT.test(text))
  } finally {
    spy.mockRestore()
  }
}
