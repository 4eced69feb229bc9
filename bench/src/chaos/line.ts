import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { pipeline, Transform } from 'node:stream'

/** The way from one program to a server, which can be cut, silenced and slowed down. */
export interface Line {
  readonly port: number
  /** Breaks every connection. New ones are let through. */
  cut(): void
  /** Connections are accepted, and nothing goes through until the line is healed. */
  silence(): void
  /** Everything arrives so much later, one piece after the other. */
  slowDown(ms: number): void
  heal(): void
  close(): Promise<void>
}

/** Opens a line to a server, which may be away when a connection is made. */
export async function openLine(target: NetConnectOpts): Promise<Line> {
  /** The ends that programs hold. The others end with them. */
  const open = new Set<Socket>()
  let delayMs = 0
  let healed: Promise<void> | undefined
  let onHealed = () => {}

  /** Waits as long as the line makes everything wait. */
  function hold(done: () => void): void {
    if (healed) void healed.then(done)
    else if (delayMs > 0) setTimeout(done, delayMs)
    else done()
  }

  function forward(from: Socket, to: Socket): void {
    const held = new Transform({ transform: (chunk, _, done) => hold(() => done(null, chunk)) })
    // However one direction ends, there is nothing to say in the other one.
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
