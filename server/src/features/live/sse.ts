import type { ServerResponse } from 'node:http'
import { type CloseCode, closeCodes } from '@rookery/api'
import type { Sink } from './sink.js'

// A reader that takes nothing for so long is gone.
const STALLED_MS = 30_000
const LAST_WORDS_MS = 5_000

/** Sends events as Server-Sent Events. More than `mostBytes` waiting for the reader ends the connection. */
export function createSseSink(response: ServerResponse, { mostBytes }: { mostBytes: number }): Sink {
  let isOver = false

  function end(code: CloseCode): void {
    if (isOver) return
    isOver = true
    const { meaning, resumable } = closeCodes[code]
    response.end(`event: end\ndata: ${JSON.stringify({ code, message: meaning, resumable })}\n\n`)
    // One that does not even read this is not waited for.
    setTimeout(() => response.destroy(), LAST_WORDS_MS).unref()
  }

  return {
    end,
    send(events) {
      if (isOver) return
      response.write(Buffer.concat(events.map((event) => event.bytes)))
      if (response.writableLength > mostBytes) end(4409)
    },
    drained() {
      if (isOver || !response.writableNeedDrain) return Promise.resolve()
      return new Promise((resolve) => {
        const stalled = setTimeout(() => end(4409), STALLED_MS)
        function done(): void {
          clearTimeout(stalled)
          response.off('drain', done)
          response.off('close', done)
          resolve()
        }
        response.once('drain', done)
        response.once('close', done)
      })
    },
    beat(position) {
      // A browser keeps the id; a comment alone keeps proxies from closing the connection.
      if (!isOver) response.write(position === undefined ? ':\n\n' : `: at ${position}\nid: ${position}\n\n`)
    },
  }
}

/** What a stream begins with: how soon to come back, and where this one starts. */
export function sseGreeting(since: number): string {
  return `retry: 1000\n: at ${since}\nid: ${since}\n\n`
}
