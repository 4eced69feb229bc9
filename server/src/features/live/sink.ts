import type { CloseCode } from '@rookery/api'
import type { OutgoingEvent } from './outgoing-event.js'

/** The outgoing side of one connection, over either transport. */
export interface Sink {
  send(events: readonly OutgoingEvent[]): void
  /** Resolves when most of the sent data has been flushed, or the connection has closed. */
  drained(): Promise<void>
  /** Sends a heartbeat, with the id of the newest event up to which the reader has everything, where that is known. */
  beat(position: number | undefined): void
  end(code: CloseCode): void
}
