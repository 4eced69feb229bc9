import { randomUUID } from 'node:crypto'

/** Agents that write without pause through the proxy, and how long nobody was answered. */
export interface Writers {
  /** Runs a step, and says for how long at most no write was answered meanwhile, and which were refused: `2 calls 503 NOT_READY`. */
  during(step: () => Promise<unknown>): Promise<{ seconds: number; withoutWrites: number; refused: string[] }>
  stop(): Promise<void>
}

const PAUSE_MS = 20

export function startWriters(url: string, apiKeys: readonly string[]): Writers {
  let isOver = false
  let answeredAt = performance.now()
  let longest = 0
  const refusals = new Map<string, number>()
  const note = () => {
    const now = performance.now()
    longest = Math.max(longest, now - answeredAt)
    return now
  }
  const lanes = apiKeys.map(async (apiKey) => {
    while (!isOver) {
      const refusal = await post(url, apiKey, `Written meanwhile ${randomUUID()}`)
      if (refusal === undefined) answeredAt = note()
      else refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  })
  return {
    async during(step) {
      const startedAt = performance.now()
      answeredAt = startedAt
      longest = 0
      refusals.clear()
      await step()
      const seconds = (performance.now() - startedAt) / 1000
      note()
      const refused = [...refusals].map(([refusal, count]) => `${count} ${count === 1 ? 'call' : 'calls'} ${refusal}`)
      return { seconds, withoutWrites: longest / 1000, refused }
    },
    async stop() {
      isOver = true
      await Promise.all(lanes)
    },
  }
}

/** Posts, and says how it was refused, if it was. */
async function post(url: string, apiKey: string, content: string): Promise<string | undefined> {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }
  try {
    const response = await fetch(`${url}/v1/tweets`, { method: 'POST', headers, body: JSON.stringify({ content }) })
    const text = await response.text()
    return response.ok ? undefined : `${response.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? 'by the proxy'}`
  } catch (error) {
    return `without an answer (${(error as Error).message})`
  }
}
