import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClient } from './client.js'

interface Asked {
  readonly resume: string | null
  readonly at: number
}

let asked: Asked[] = []
let answers: Response[] = []
beforeEach(() => {
  asked = []
  answers = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

const client = createClient({
  baseUrl: 'http://x/',
  fetch: async (_, init) => {
    asked.push({ resume: new Headers(init?.headers).get('Last-Event-ID'), at: Date.now() })
    return answers.shift() ?? refused()
  },
})
const refused = () => Response.json({ statusCode: 410, code: 'RESUME_TOO_OLD', message: 'Too old.' }, { status: 410 })
const events = (...ids: number[]) => new Response(ids.map((id) => `id: ${id}\ndata: {"id":"${id}"}\n\n`).join(''))

/** Listens for a while; gives the ids that came and when it asked, in seconds after it began. */
async function listen(forMs: number, options: { retryRefusals?: boolean; resume?: string } = {}) {
  const ending = new AbortController()
  const heard: string[] = []
  const states: string[] = []
  const positions: string[] = []
  const startedAt = Date.now()
  async function run() {
    const wanted = {
      topics: ['trades' as const],
      signal: ending.signal,
      onState: (it: string) => states.push(it),
      onPosition: (it: string) => positions.push(it),
      onRestart: () => states.push('restarted'),
    }
    for await (const { id } of client.events({ ...wanted, ...options })) heard.push(id)
  }
  const running = run().then(
    () => undefined,
    (error: Error) => error,
  )
  await vi.advanceTimersByTimeAsync(forMs)
  ending.abort()
  return {
    heard,
    states,
    positions,
    error: await running,
    times: asked.map(({ at }) => Math.round((at - startedAt) / 1000)),
    resumes: asked.map(({ resume }) => resume),
  }
}

describe('events', () => {
  test('go on after the last that was seen when the connection ends', async () => {
    answers = [events(1, 2), events(3)]
    const { heard, resumes, states, error } = await listen(2_000)
    expect(heard).toEqual(['1', '2', '3'])
    expect(resumes.slice(0, 3)).toEqual([null, '2', '3'])
    expect(states.slice(0, 3)).toEqual(['open', 'lost', 'open'])
    expect(error).toMatchObject({ code: 'RESUME_TOO_OLD' })
  })

  test('tell their position, also before anything has happened', async () => {
    answers = [new Response(': at 41\n\nid: 42\ndata: {"id":"42"}\n\n'), events(43)]
    const { positions, resumes } = await listen(2_000)
    expect(positions).toEqual(['41', '42', '43'])
    expect(resumes.slice(0, 2)).toEqual([null, '42'])
  })

  test('are asked for later and later while the service refuses, if that is wanted', async () => {
    const { times, error } = await listen(200_000, { retryRefusals: true })
    expect(times).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183])
    expect(error).toBeUndefined()
  })

  test('begin anew after two refusals, which may be due to the age of the last event', async () => {
    answers = [refused(), refused(), events(9), refused()]
    const { heard, resumes, states } = await listen(4_500, { retryRefusals: true, resume: '5' })
    expect(heard).toEqual(['9'])
    expect(states).toContain('restarted')
    expect(resumes.slice(0, 4)).toEqual(['5', '5', null, '9'])
  })
})
