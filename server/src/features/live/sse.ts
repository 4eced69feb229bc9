import type { ServerResponse } from 'node:http'
import { type CloseCode, closeCodes } from '@rookery/api'
import type { Sink } from './sink.js'

// A reader that reads nothing for this long is considered gone.
const STALLED_MS = 30_000
const LAST_WORDS_MS = 5_000

/** Sends events as Server-Sent Events. Ends the connection when more than `mostBytes` are buffered. */
export function createSseSink(response: ServerResponse, { mostBytes }: { mostBytes: number }): Sink {
  let isOver = false

  function end(code: CloseCode): void {
    if (isOver) return
    isOver = true
    const { meaning, resumable } = closeCodes[code]
    response.end(`event: end\ndata: ${JSON.stringify({ code, message: meaning, resumable })}\n\n`)
    // Does not wait for a client that does not even read this.
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
      // A browser remembers the id. Without one, the comment still keeps proxies from closing the connection.
      if (!isOver) response.write(position === undefined ? ':\n\n' : `: at ${position}\nid: ${position}\n\n`)
    },
  }
}

/** The start of a stream: how soon to reconnect, and the event at which this stream begins. */
export function sseGreeting(since: number): string {
  return `retry: 1000\n: at ${since}\nid: ${since}\n\n`
}
