import { createServer, type IncomingHttpHeaders } from 'node:http'

/** A delivery that a webhook receiver got. */
export interface Received {
  /** With its query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A webhook receiver. */
export interface TestReceiver {
  readonly url: string
  readonly received: Received[]
  /** The answer: a status, or the target of a redirect. */
  answer: number | string
  /** Happens before it answers. */
  meanwhile: () => Promise<unknown>
  stop(): Promise<void>
}

export async function startReceiver(): Promise<TestReceiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', async () => {
      received.push({ url: request.url ?? '', headers: request.headers, body })
      await receiver.meanwhile()
      if (typeof receiver.answer === 'string') response.writeHead(302, { Location: receiver.answer }).end()
      else response.writeHead(receiver.answer).end('thanks')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: 200,
    meanwhile: async () => {},
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
