import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { pipeline, Transform } from 'node:stream'

/** A relay between one program and a server, which can be cut, silenced and slowed down. */
export interface Line {
  readonly port: number
  /** Breaks every connection. New ones work. */
  cut(): void
  /** Accepts connections, and forwards nothing until the line is healed. */
  silence(): void
  /** Delays every chunk, in order. */
  slowDown(ms: number): void
  heal(): void
  close(): Promise<void>
}

/** Opens a line to a server, which need not be running. */
export async function openLine(target: NetConnectOpts): Promise<Line> {
  /** The sockets of the programs. Closing one closes its socket to the server. */
  const open = new Set<Socket>()
  let delayMs = 0
  let healed: Promise<void> | undefined
  let onHealed = () => {}

  function hold(done: () => void): void {
    if (healed) void healed.then(done)
    else if (delayMs > 0) setTimeout(done, delayMs)
    else done()
  }

  function forward(from: Socket, to: Socket): void {
    const held = new Transform({ transform: (chunk, _, done) => hold(() => done(null, chunk)) })
    // When one direction ends, for whatever reason, the other one has to end too.
    pipeline(from, held, to, () => {
      from.destroy()
      to.destroy()
    })
  }

  const server = createServer((near) => {
    open.add(near)
    near.on('error', () => {}).once('close', () => open.delete(near))
    hold(() => {
      if (near.destroyed) return
      const far = connect(target)
      forward(near, far)
      forward(far, near)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  function cut(): void {
    for (const socket of open) socket.resetAndDestroy()
  }

  function heal(): void {
    delayMs = 0
    healed = undefined
    onHealed()
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut,
    silence() {
      healed = new Promise((resolve) => {
        onHealed = resolve
      })
    },
    slowDown(ms) {
      delayMs = ms
    },
    heal,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      heal()
      cut()
      await closed
    },
  }
}
