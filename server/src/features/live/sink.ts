import type { CloseCode } from '@rookery/api'
import type { ToldEvent } from './told-event.js'

/** A door's end of one connection: where the events of a reader go. */
export interface Sink {
  send(events: readonly ToldEvent[]): void
  /** Resolves when most of what was sent has left, or the connection is no more. */
  drained(): Promise<void>
  /** Gives a sign of life; with the newest event that the reader has not missed, where that can be said. */
  beat(position: number | undefined): void
  end(code: CloseCode): void
}
