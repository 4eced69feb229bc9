import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { openFront } from './front.js'

describe('the proxy in front of two programs', () => {
  const closing: (() => Promise<unknown> | undefined)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function start(listener: RequestListener): Promise<number> {
    const server: Server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    return (server.address() as AddressInfo).port
  }

  async function front(...ports: number[]): Promise<string> {
    const opened = await openFront(ports)
    closing.push(() => opened.close())
    return opened.url
  }

  async function closedPort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    return port
  }

  const good: RequestListener = async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    response.setHeader('x-seen', `${request.method} ${request.url} ${body}`).end('good')
  }
  const cutting: RequestListener = (request) => void request.resume().once('end', () => request.socket.destroy())

  test('calls both in turn, and forwards requests and answers', async () => {
    const one = await start((_, response) => void response.end('one'))
    const other = await start((_, response) => void response.writeHead(503).end('other'))
    const url = await front(one, other)
    const answers = [await fetch(url), await fetch(url), await fetch(url)]
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
    const echoed = await fetch(`${await front(await start(good))}/a?b=c`, { method: 'POST', body: 'text' })
    expect(echoed.headers.get('x-seen')).toBe('POST /a?b=c text')
  })

  test('forwards a write to the other program when it cannot be sent', async () => {
    const url = await front(await closedPort(), await start(good))
    for (let n = 0; n < 4; n++) expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(200)
  })

  test('forwards a read to the other program when it gets no answer', async () => {
    const url = await front(await start(cutting), await start(good))
    for (let n = 0; n < 4; n++) expect((await fetch(url)).status).toBe(200)
  })

  test('does not repeat a write that was sent', async () => {
    let seen = 0
    const counting: RequestListener = (request, response) => {
      seen++
      cutting(request, response)
    }
    const url = await front(await start(counting), await start(counting))
    expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(502)
    expect(seen).toBe(1)
  })
})
