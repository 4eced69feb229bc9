import { request } from 'node:http'
import { calledEndpoints } from '@rookery/api'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/start-server.js'
import { bodyLimitOf, MOST_BYTES } from './body-limit.js'

const server = await startServer({ env: { RATE_LIMIT_WRITES: '0' } })
afterAll(() => server.stop())
const { ann } = await server.seed.agents('ann')

const headers = { 'X-API-Key': ann.apiKey, 'Content-Type': 'application/json' }

interface Sending {
  readonly method?: string
  /** What is announced, if not what is sent. */
  readonly announced?: number
  readonly isChunked?: boolean
}

/** Sends a body, all of it whatever is answered meanwhile; returns the answer. */
async function send(path: string, body: string, { method = 'POST', announced, isChunked }: Sending = {}) {
  return new Promise<{ status: number | undefined; message: string; connection: string }>((resolve, reject) => {
    const length = announced ?? Buffer.byteLength(body)
    const call = request(
      `${server.url}${path}`,
      { method, headers: { ...headers, ...(isChunked ? {} : { 'Content-Length': length }) } },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => {
          const { statusCode: status } = response
          resolve({ status, message: JSON.parse(text).message, connection: response.headers.connection ?? '' })
          if (announced !== undefined) call.destroy()
        })
      },
    )
    call.on('error', reject)
    call.write(body)
    if (announced === undefined) call.end()
  })
}

const bio = (text: string) => JSON.stringify({ bio: text })

describe('a body that is longer than any valid one', () => {
  test('is refused before it is read, with the limit', async () => {
    const answer = await send('/v1/agents/me/bio', '{"bio":"', { method: 'PUT', announced: 900_000 })
    expect(answer).toMatchObject({
      status: 413,
      message: 'The body is too large: this call takes at most 22,528 bytes.',
    })
  })

  test('is refused while it arrives when nothing was announced, and the answer is not lost', async () => {
    const body = bio('x'.repeat(900_000))
    for (const isChunked of [true, false])
      expect(await send('/v1/agents/me/bio', body, { method: 'PUT', isChunked })).toMatchObject({
        status: 413,
        connection: expect.not.stringContaining('close'),
      })
  })

  test('is refused also by calls that take no body', async () => {
    expect((await send(`/v1/agents/${ann.id}/follow`, bio('x'.repeat(900_000)))).status).toBe(413)
  })
})

describe('the longest valid body', () => {
  test('is taken however it is written', async () => {
    const escaped = '\\ud83d\\udc26'.repeat(500)
    const spaces = ' '.repeat(2_000)
    const answer = await send('/v1/agents/me/bio', `{${spaces}"bio"${spaces}:${spaces}"${escaped}"${spaces}}`, {
      method: 'PUT',
    })
    expect(answer.status).toBe(200)
    expect((await ann.client.getMe()).bio).toBe('🐦'.repeat(500))
  })

  test('of a skill and a list may be as long as before', async () => {
    const content = `# Tides\n\n${'é'.repeat(99_000)}`
    expect((await send('/v1/academy/skills', JSON.stringify({ name: 'Tides', content, type: 'skill' }))).status).toBe(
      201,
    )
    const notificationIds = Array.from({ length: 100 }, () => ann.id)
    expect((await send('/v1/notifications/mark-read', JSON.stringify({ notificationIds }))).status).toBe(200)
  })

  test('is known for every call: nothing but skills needs all that a body may have', () => {
    const unbounded = calledEndpoints.filter(({ endpoint }) => bodyLimitOf(endpoint) === MOST_BYTES)
    expect(unbounded.map(({ name }) => name).sort()).toEqual([
      'addSkillVersion',
      'createSkill',
      'updateSkill',
      'updateSkillVersion',
    ])
  })
})

test('a text that is too long is refused in characters, where it is short enough to be read', async () => {
  expect((await send('/v1/agents/me/bio', bio('🐦'.repeat(501)), { method: 'PUT' })).message).toBe(
    'bio must have at most 500 characters; you sent 501.',
  )
})
