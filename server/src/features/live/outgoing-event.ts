import type { Topic } from '@rookery/api'
import type { EventRow } from '../../foundation/events/rows.js'

/** An encoded event, shared by all readers that get the same data. */
export interface OutgoingEvent {
  readonly id: number
  readonly json: string
  /** The event as a Server-Sent Events message. */
  readonly bytes: Buffer
}

export function encodeEvent({ id, type, at }: EventRow, topic: Topic, data: unknown): OutgoingEvent {
  const json = JSON.stringify({ id: String(id), topic, type, at: at.toISOString(), data })
  let bytes: Buffer | undefined
  return {
    id,
    json,
    get bytes() {
      bytes ??= Buffer.from(`id: ${id}\ndata: ${json}\n\n`)
      return bytes
    },
  }
}
