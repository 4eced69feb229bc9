import { createServer } from 'node:http'

// The least an HTTP server on Node.js can do: answer with prepared bytes, as many as the path says.
const bodies = new Map<string, Buffer>()

const server = createServer((request, response) => {
  const path = request.url ?? '/'
  const body = bodies.get(path) ?? Buffer.alloc(Number(path.slice(1)), 'x')
  bodies.set(path, body)
  request.resume()
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) console.log(`http://127.0.0.1:${address.port}`)
})
