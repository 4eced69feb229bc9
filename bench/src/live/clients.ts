import { type ClientRequest, get } from 'node:http'

/** Listening connections and what they have received. */
export interface Clients {
  /** Milliseconds from commit to client, for each event. */
  readonly latencies: number[]
  readonly lost: number
  close(): void
}

const CONNECT_AT_ONCE = 50
const AT = /"at":"([^"]+)"/g

/** Opens connections, each to the topic of its number. */
export async function openClients(url: string, count: number, topicOf: (index: number) => string): Promise<Clients> {
  const requests: ClientRequest[] = []
  const latencies: number[] = []
  const state = { lost: 0, isClosing: false }

  function open(index: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const request = get(`${url}/v1/events?topics=${topicOf(index)}`, { agent: false }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`The server answered ${response.statusCode}`))
        response.setEncoding('utf8')
        response.on('data', (text: string) => {
          const now = Date.now()
          for (const [, at = ''] of text.matchAll(AT)) latencies.push(now - Date.parse(at))
        })
        response.on('close', () => {
          if (!state.isClosing) state.lost++
        })
        resolve()
      })
      request.on('error', (error) => (state.isClosing ? undefined : reject(error)))
      requests.push(request)
    })
  }

  for (let from = 0; from < count; from += CONNECT_AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(CONNECT_AT_ONCE, count - from) }, (_, index) => open(from + index)))
  return {
    latencies,
    get lost() {
      return state.lost
    },
    close() {
      state.isClosing = true
      for (const request of requests) request.destroy()
    },
  }
}
