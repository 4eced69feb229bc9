import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SocialNetwork, SocialRateLimited, SocialUnavailable } from './social-network.js'

/** A local HTTP server in place of the network. */
export interface Loopback {
  readonly baseUrl: string
  /** The requests received, oldest first. */
  readonly requests: IncomingMessage[]
  /** Sets the answer to every request from now on. */
  answerWith(listener: RequestListener): void
  close(): Promise<void>
}

export async function startLoopback(): Promise<Loopback> {
  const requests: IncomingMessage[] = []
  let listener: RequestListener = (_request, response) => answerJson(response, 404, {})
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerWith(next) {
      listener = next
    },
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

export interface RemoteOptions {
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly now: () => number
}

const POST_URL = 'https://x.com/alice/status/1766850000000000001'
const NOW_SECONDS = 1_700_000_000

/** The contract of every network over HTTP when requests fail. */
export function remoteNetworkContract(create: (options: RemoteOptions) => SocialNetwork): void {
  describe('every network over HTTP', () => {
    let loopback: Loopback
    let network: SocialNetwork
    beforeEach(async () => {
      loopback = await startLoopback()
      network = create({ baseUrl: loopback.baseUrl, timeoutMs: 5000, now: () => NOW_SECONDS * 1000 + 500 })
    })
    afterEach(() => loopback.close())

    function impatient(): SocialNetwork {
      return create({ baseUrl: loopback.baseUrl, timeoutMs: 50, now: Date.now })
    }

    test.each([
      { headers: { 'x-rate-limit-reset': String(NOW_SECONDS + 90) }, seconds: 90 },
      { headers: { 'x-rate-limit-reset': String(NOW_SECONDS - 5) }, seconds: 1 },
      { headers: { 'x-rate-limit-reset': String(NOW_SECONDS * 1000) }, seconds: 86_400 },
      { headers: { 'retry-after': '7' }, seconds: 7 },
      { headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, seconds: 60 },
      { headers: {}, seconds: 60 },
    ])('asks to wait $seconds s after a 429 with $headers', async ({ headers, seconds }) => {
      loopback.answerWith((_request, response) =>
        answerJson(response, 429, { title: 'Too Many Requests', status: 429 }, headers),
      )
      const error = await network.getPost(POST_URL).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(SocialRateLimited)
      expect(error).toMatchObject({ retryAfterSeconds: seconds })
    })

    test.each([400, 401, 402, 500, 502, 503])('is unavailable when the answer is %i', async (status) => {
      loopback.answerWith((_request, response) => answerJson(response, status, {}))
      await expect(network.getPost(POST_URL)).rejects.toThrow(SocialUnavailable)
    })

    test('is unavailable when bot protection answers with a challenge', async () => {
      loopback.answerWith((_request, response) => {
        response.writeHead(403, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' })
        response.end('<title>Just a moment...</title>')
      })
      await expect(network.getPost(POST_URL)).rejects.toThrow(SocialUnavailable)
    })

    test('is unavailable when nobody answers', async () => {
      loopback.answerWith(() => {})
      await expect(impatient().getPost(POST_URL)).rejects.toThrow(SocialUnavailable)
    })

    test('is unavailable when an answer begins and never ends', async () => {
      loopback.answerWith((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"data":')
      })
      await expect(impatient().getPost(POST_URL)).rejects.toThrow('gave no answer in 50 ms')
    })

    test('is unavailable when nothing listens', async () => {
      await loopback.close()
      await expect(network.getPost(POST_URL)).rejects.toThrow(SocialUnavailable)
    })

    test.each(['<html>', '', '{"data":{"id":"1",', 'null', '[]', '"text"', '{}', '{"data":[],"html":7}'])(
      'is unavailable when the answer is %s',
      async (body) => {
        loopback.answerWith((_request, response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          response.end(body)
        })
        await expect(network.getPost(POST_URL)).rejects.toThrow(SocialUnavailable)
      },
    )

    test('reads no more than a megabyte', async () => {
      let sentBytes = 0
      const chunk = Buffer.alloc(64 * 1024, ' ')
      const hungUp = new Promise<void>((resolve) => {
        loopback.answerWith((_request, response) => {
          response.on('close', resolve)
          response.writeHead(200, { 'content-type': 'application/json' })
          const send = () => {
            while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length
          }
          response.on('drain', send)
          send()
        })
      })
      await expect(network.getPost(POST_URL)).rejects.toThrow('too large')
      await hungUp
      expect(sentBytes).toBeLessThan(16 * 1024 * 1024)
    })

    test('never follows a redirect to another host', async () => {
      const elsewhere = await startLoopback()
      loopback.answerWith((_request, response) => {
        response.writeHead(302, { location: `${elsewhere.baseUrl}/secret` })
        response.end()
      })
      await expect(network.getPost(POST_URL)).rejects.toThrow(SocialUnavailable)
      expect(elsewhere.requests).toEqual([])
      await elsewhere.close()
    })

    test.each([
      'http://x.com/alice/status/1',
      'https://x.com:8443/alice/status/1',
      'https://alice:secret@x.com/alice/status/1',
      'https://127.0.0.1/alice/status/1',
    ])('sends no request for %s', async (url) => {
      expect(await network.getPost(url)).toEqual({ found: false, reason: 'bad_url' })
      expect(loopback.requests).toEqual([])
    })
  })
}
