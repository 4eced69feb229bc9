import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Line, openLine } from './line.js'

describe('a line to a server', () => {
  let server: Server
  let line: Line
  const sockets: Socket[] = []
  beforeAll(async () => {
    server = createServer((socket) => void socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    line = await openLine({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  afterAll(async () => {
    await line.close()
    server.close()
  })

  async function open(): Promise<Socket> {
    const socket = connect(line.port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }

  async function echo(socket: Socket, text: string): Promise<string> {
    socket.write(text)
    return String((await once(socket, 'data'))[0])
  }

  test('lets everything through in both directions', async () => {
    expect(await echo(await open(), 'hello')).toBe('hello')
  })

  test('breaks every connection when it is cut, and lets new ones through', async () => {
    const [one, other] = [await open(), await open()]
    await Promise.all([echo(one, 'a'), echo(other, 'b')])
    const closed = Promise.all([one, other].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    line.cut()
    await closed
    expect(await echo(await open(), 'again')).toBe('again')
  })

  test('accepts connections without answering while it is silent, and continues when it is healed', async () => {
    const before = await open()
    await echo(before, 'a')
    line.silence()
    const during = await open()
    const arrived: string[] = []
    const answers = [before, during].map(async (socket, n) => {
      arrived.push(await echo(socket, `${n}`))
    })
    // By the time another line has answered, this one would have too.
    const other = await openLine({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
    const aside = connect(other.port, '127.0.0.1')
    sockets.push(aside)
    await echo(aside, 'aside')
    expect(arrived).toEqual([])
    line.heal()
    await Promise.all(answers)
    expect(arrived.sort()).toEqual(['0', '1'])
    await other.close()
  })

  test('delays everything while it is slow', async () => {
    const socket = await open()
    await echo(socket, 'a')
    line.slowDown(100)
    const startedAt = performance.now()
    await echo(socket, 'b')
    // Timers may be early by a millisecond.
    expect(performance.now() - startedAt).toBeGreaterThan(198)
    line.heal()
  })
})
