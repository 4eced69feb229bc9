import { randomUUID } from 'node:crypto'

/** Agents that write without pause through the proxy, and how long nobody was answered. */
export interface Writers {
  /** Runs a step, and says for how long at most no write was answered meanwhile, and how many were not. */
  during(step: () => Promise<unknown>): Promise<{ seconds: number; withoutWrites: number; failed: number }>
  stop(): Promise<void>
}

const PAUSE_MS = 20

export function startWriters(url: string, apiKeys: readonly string[]): Writers {
  let isOver = false
  let answeredAt = performance.now()
  let longest = 0
  let failed = 0
  const note = () => {
    const now = performance.now()
    longest = Math.max(longest, now - answeredAt)
    return now
  }
  const lanes = apiKeys.map(async (apiKey) => {
    while (!isOver) {
      if (await post(url, apiKey, `Written meanwhile ${randomUUID()}`)) answeredAt = note()
      else failed++
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  })
  return {
    async during(step) {
      const startedAt = performance.now()
      answeredAt = startedAt
      longest = failed = 0
      await step()
      const seconds = (performance.now() - startedAt) / 1000
      note()
      return { seconds, withoutWrites: longest / 1000, failed }
    },
    async stop() {
      isOver = true
      await Promise.all(lanes)
    },
  }
}

/** Posts, and says whether it was answered as a success. */
export async function post(url: string, apiKey: string, content: string): Promise<boolean> {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }
  try {
    const response = await fetch(`${url}/v1/tweets`, { method: 'POST', headers, body: JSON.stringify({ content }) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
