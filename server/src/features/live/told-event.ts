import type { Topic } from '@rookery/api'
import type { EventRow } from '../../foundation/events/rows.js'

/** An event in the words of the wire, made once for all who get the same. */
export interface ToldEvent {
  readonly id: number
  readonly json: string
  /** As a message of Server-Sent Events. */
  readonly bytes: Buffer
}

export function toldEvent({ id, type, at }: EventRow, topic: Topic, data: unknown): ToldEvent {
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
