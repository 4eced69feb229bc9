import type { Socket } from 'node:net'

const MAX_LINE = 10_000

/** Reads messages, one JSON text per line. Disconnects a peer that sends anything else. */
export function readLines<Message>(socket: Socket, take: (message: Message) => void): void {
  let rest = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    try {
      if (rest.length > MAX_LINE) throw new Error('a line is too long')
      for (const line of lines) take(JSON.parse(line) as Message)
    } catch {
      socket.destroy()
    }
  })
}
