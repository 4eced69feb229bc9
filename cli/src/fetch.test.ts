import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, startEchoServer } from '../test/echo-server.js'
import { createFetch } from './fetch.js'

let server: Awaited<ReturnType<typeof startEchoServer>> | undefined
afterEach(() => server?.close())

async function streamed(answer: Answer) {
  server = await startEchoServer(() => answer)
  let shown = ''
  const response = await createFetch((text) => {
    shown += text
  })(server.url)
  return { shown, left: await response.text() }
}

describe('a stream', () => {
  const headers = { 'content-type': 'text/event-stream' }

  test('is handed out as it comes', async () => {
    const events = 'id: 1\ndata: {"name":"鳥"}\n\n'
    expect(await streamed({ body: events, headers })).toEqual({ shown: events, left: '' })
  })

  test('is left to the client when it is refused', async () => {
    expect(await streamed({ status: 401, body: 'no', headers })).toEqual({ shown: '', left: 'no' })
  })
})
