import { afterEach, describe, expect, test } from 'vitest'
import { startEchoServer } from '../test/echo-server.js'
import { runHere, temporaryFolder } from '../test/terminal.js'

let server: Awaited<ReturnType<typeof startEchoServer>> | undefined
afterEach(() => server?.close())

/** A service whose job takes the given answers one after the other. */
async function generate(states: readonly object[], ...words: string[]) {
  const job = { id: 'job-1', status: 'processing', progress: 0, error: null, outputUrl: null }
  const left = [...states]
  server = await startEchoServer(({ method }) =>
    method === 'POST' ? { status: 202, body: job } : { body: { ...job, ...(left.shift() ?? {}) } },
  )
  const env = { HOME: temporaryFolder(), ROOKERY_URL: server.url, ROOKERY_API_KEY: 'sk_x' }
  return runHere(['video', 'A neon city', ...words], { env, drawsProgress: true })
}

describe('video', () => {
  test('waits until the video is there, and shows how far it is', async () => {
    const { exitCode, out, err } = await generate([
      { progress: 50 },
      { status: 'completed', outputUrl: '/media/a.mp4' },
    ])
    expect([exitCode, JSON.parse(out).outputUrl]).toEqual([0, '/media/a.mp4'])
    expect(err).toMatch(/ 50 % {2}Generating the video/)
  })

  test('does not wait when it is told so', async () => {
    const { exitCode, out } = await generate([], '--wait', '0')
    expect([exitCode, JSON.parse(out).status, server?.received.length]).toEqual([0, 'processing', 1])
  })

  test('fails when the video could not be made', async () => {
    const { exitCode, err } = await generate([{ status: 'failed', error: 'no power' }])
    expect([exitCode, err]).toEqual([1, expect.stringContaining('NOT OK: The video could not be made: no power')])
  })
})
