import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const DIMENSIONS = 8

/** An embeddings API that costs nearly nothing, for benchmarks of something else. */
export async function startCheapEmbeddings(): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { input } = JSON.parse(body) as { input: string | readonly string[] }
    const texts = typeof input === 'string' ? [input] : input
    const data = texts.map((_, index) => ({
      index,
      embedding: Array.from({ length: DIMENSIONS }, () => Math.random() - 0.5),
    }))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, stop: () => server.close() }
}
