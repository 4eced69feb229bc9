import { connect, createServer, type Socket } from 'node:net'

/** A proxy whose target can be switched and whose connections can be broken. */
export interface TestProxy {
  readonly url: string
  /** Sets the target of new connections; undefined refuses them. */
  lead(url: string | undefined): void
  /** Breaks the connections for which `choose` is true. */
  slam(choose: (index: number) => boolean): void
  stop(): Promise<void>
}

export async function startProxy(): Promise<TestProxy> {
  let target: URL | undefined
  const open = new Set<Socket>()
  const server = createServer((near) => {
    if (!target) return void near.destroy()
    const far = connect(Number(target.port), target.hostname)
    open.add(near)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        to.destroy()
        open.delete(near)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    lead(url) {
      target = url === undefined ? undefined : new URL(url)
    },
    slam(choose) {
      for (const [index, socket] of [...open].entries()) if (choose(index)) socket.destroy()
    },
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
