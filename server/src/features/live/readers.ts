import { siteOf } from '../../base/network.js'
import type { Interest } from '../../foundation/events/interest.js'
import type { EventRow } from '../../foundation/events/rows.js'
import { keyOf, keysOf } from '../../foundation/events/topics.js'
import type { Reader } from './reader.js'

/** Whose limits a connection counts against. */
export type Place = Pick<Reader, 'caller' | 'address'>

/** The connections of this process, indexed by their interests. */
export interface Readers extends Iterable<Reader> {
  add(reader: Reader): void
  /** Returns whether the reader was present. */
  remove(reader: Reader): boolean
  /** Replaces the interests of a reader. */
  setInterests(reader: Reader, interests: readonly Interest[]): void
  isAnyoneListening(): boolean
  /** Lists the readers that may want an event. */
  listFor(row: EventRow): Reader[]
  /** Counts a connection that is about to open; returns the function that takes it back. */
  reserve(place: Place): () => void
  /** Counts the readers and reservations of one caller, or all readers. */
  count(caller?: string): number
  /** Counts the readers and reservations of a network, or of the site around it. */
  countAt(address: string): number
}

export function createReaders(): Readers {
  const readers = new Set<Reader>()
  const byKey = new Map<string, Set<Reader>>()
  const byCaller = new Map<string, number>()
  const byAddress = new Map<string, number>()

  function tally(counts: Map<string, number>, key: string, by: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + by
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }

  function tallyPlace({ caller, address }: Place, by: 1 | -1): void {
    tally(byCaller, caller, by)
    tally(byAddress, address, by)
    const site = siteOf(address)
    if (site !== undefined) tally(byAddress, site, by)
  }

  function setInterests(reader: Reader, interests: readonly Interest[]): void {
    for (const key of reader.interests.map(keyOf)) {
      const interested = byKey.get(key)
      interested?.delete(reader)
      if (interested?.size === 0) byKey.delete(key)
    }
    reader.interests = interests
    for (const key of interests.map(keyOf)) byKey.set(key, (byKey.get(key) ?? new Set()).add(reader))
  }

  return {
    [Symbol.iterator]: () => readers.values(),
    add(reader) {
      readers.add(reader)
      tallyPlace(reader, 1)
    },
    remove(reader) {
      if (!readers.delete(reader)) return false
      tallyPlace(reader, -1)
      setInterests(reader, [])
      return true
    },
    setInterests,
    reserve(place) {
      tallyPlace(place, 1)
      let isReserved = true
      return () => {
        if (isReserved) tallyPlace(place, -1)
        isReserved = false
      }
    },
    isAnyoneListening: () => byKey.size > 0,
    listFor(row) {
      const [only, ...more] = keysOf(row).flatMap((key) => byKey.get(key) ?? [])
      if (!only) return []
      return more.length === 0 ? [...only] : [...new Set([only, ...more].flatMap((set) => [...set]))]
    },
    count: (caller) => (caller === undefined ? readers.size : (byCaller.get(caller) ?? 0)),
    countAt: (address) => byAddress.get(address) ?? 0,
  }
}
