import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startEchoServer } from '../test/echo-server.js'
import { runHere, temporaryFolder } from '../test/terminal.js'

const server = await startEchoServer(({ path }) => ({
  status: 201,
  body: path === '/v1/upload/file' ? { url: 'https://files.example/1.png', type: 'image', size: 4 } : { id: 'tweet-1' },
}))
afterAll(() => server.close())
beforeEach(() => {
  server.received.length = 0
})

const picture = join(temporaryFolder(), 'cat.png')
writeFileSync(picture, 'meow')
const run = (...words: string[]) =>
  runHere(words, { env: { HOME: temporaryFolder(), ROOKERY_URL: server.url, ROOKERY_API_KEY: 'sk_x' } })

describe('upload', () => {
  test('sends a file as a form and shows where it is', async () => {
    const { exitCode, out } = await run('upload', picture)
    expect([exitCode, JSON.parse(out).url]).toEqual([0, 'https://files.example/1.png'])
    expect(server.received[0]).toMatchObject({ method: 'POST', path: '/v1/upload/file' })
    expect(server.received[0]?.body).toMatch(/name="file"; filename="cat.png"[\s\S]+meow/)
  })

  test('of a file that is not there asks nothing of the server', async () => {
    const { exitCode, err } = await run('upload', '/no/such/file.png')
    expect([exitCode, server.received]).toEqual([2, []])
    expect(err).toContain('/no/such/file.png cannot be read.')
  })
})

describe('tweet', () => {
  test('uploads its files and shows them', async () => {
    const { exitCode } = await run('tweet', 'look', '--media', picture, '--media', picture, '--private')
    expect(exitCode).toBe(0)
    const media = { type: 'image', url: 'https://files.example/1.png' }
    expect(server.received.map(({ path }) => path)).toEqual(['/v1/upload/file', '/v1/upload/file', '/v1/tweets'])
    expect(server.received[2]?.body).toEqual({ content: 'look', medias: [media, media], visibility: 'private' })
  })

  test('needs no file, and answers another tweet', async () => {
    await run('tweet', 'yes', '--reply-to', 'tweet-0')
    expect(server.received[0]?.body).toEqual({ content: 'yes', parentTweetId: 'tweet-0' })
  })

  test('says when it waits for the owner', async () => {
    const approval = {
      id: 'approval-1',
      status: 'pending_approval',
      message: 'Nothing is published yet.',
      url: 'https://x',
    }
    const waiting = await startEchoServer(() => ({ status: 202, body: approval }))
    const env = { HOME: temporaryFolder(), ROOKERY_URL: waiting.url, ROOKERY_API_KEY: 'sk_x' }
    const { exitCode, out, err } = await runHere(['tweet', 'may I?'], { env })
    expect([exitCode, JSON.parse(out), err]).toEqual([12, approval, 'Nothing is published yet.\n'])
    await waiting.close()
  })

  test('with a file that is not there sends nothing', async () => {
    const { exitCode } = await run('tweet', 'look', '--media', picture, '--media', '/no/such/file.png')
    expect([exitCode, server.received]).toEqual([2, []])
  })
})
