import type { Holds } from '../../base/holds.js'
import { siteOf } from '../../base/network.js'
import type { Interest } from '../../foundation/events/interest.js'
import type { EventRow } from '../../foundation/events/rows.js'
import { keyOf, keysOf } from '../../foundation/events/topics.js'
import type { Reader } from './reader.js'

/** Whose limits a connection counts against. */
export type Place = Pick<Reader, 'caller' | 'address'>

/** The keys under which a connection is counted: its caller, its network and, for some, the site around that. */
export function placeKeys({ caller, address }: Place): string[] {
  const site = siteOf(address)
  return [`stream of ${caller}`, `stream at ${address}`, ...(site === undefined ? [] : [`stream at ${site}`])]
}

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
  /** Counts the readers of one caller, or all readers. */
  count(caller?: string): number
}

/** Each reader holds a place from the moment it is added. */
export function createReaders(holds: Pick<Holds, 'add' | 'give'>): Readers {
  const readers = new Set<Reader>()
  const byKey = new Map<string, Set<Reader>>()
  const byCaller = new Map<string, number>()

  function tally(caller: string, by: 1 | -1): void {
    const count = (byCaller.get(caller) ?? 0) + by
    if (count > 0) byCaller.set(caller, count)
    else byCaller.delete(caller)
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
      tally(reader.caller, 1)
      holds.add(placeKeys(reader))
    },
    remove(reader) {
      if (!readers.delete(reader)) return false
      tally(reader.caller, -1)
      holds.give(placeKeys(reader))
      setInterests(reader, [])
      return true
    },
    setInterests,
    isAnyoneListening: () => byKey.size > 0,
    listFor(row) {
      const [only, ...more] = keysOf(row).flatMap((key) => byKey.get(key) ?? [])
      if (!only) return []
      return more.length === 0 ? [...only] : [...new Set([only, ...more].flatMap((set) => [...set]))]
    },
    count: (caller) => (caller === undefined ? readers.size : (byCaller.get(caller) ?? 0)),
  }
}
