import { createSocket } from 'node:dgram'

/** A DNS server. */
export interface TestNameServer {
  readonly address: string
  /** The names it was asked for, in order, once for each family of addresses. */
  readonly asked: string[]
  stop(): Promise<void>
}

/** Starts a name server that knows the addresses of some names and never answers for others. */
export async function startNameServer(known: Readonly<Record<string, string>>): Promise<TestNameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query)
    asked.push(name)
    const found = known[name]
    if (found !== undefined) socket.send(answer(query.subarray(0, end + 4), found), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

const HEADER_BYTES = 12
const A = 1

/** The name of a question, and where it ends. The question's type and class follow, two bytes each. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** Repeats the question, with one address when it asks for IPv4 and none otherwise. */
function answer(question: Buffer, address: string): Buffer {
  const hasAddress = question.readUInt16BE(question.length - 4) === A
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(hasAddress ? 1 : 0, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  if (!hasAddress) return head
  // The name is that of the question; type A, class IN, no time to live, four bytes.
  const record = [0xc0, HEADER_BYTES, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]
  return Buffer.concat([head, Buffer.from(record)])
}
