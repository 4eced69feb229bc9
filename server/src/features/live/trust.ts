import type { Viewer } from '../../foundation/db/visibility.js'
import type { Sink } from './sink.js'

/** Whom events are sent to. */
interface Reader {
  viewer: Viewer | undefined
  isOpen: boolean
  readonly sink: Pick<Sink, 'end'>
  /** Finds the viewer again; undefined when the credential is no longer valid. */
  identify(): Promise<Viewer | undefined>
}

/** Whether the credentials of readers are known to be good now, so that nothing is sent to one that lost its right. */
export interface Trust {
  /** Ends the reader unless its credential is still good. */
  recheck(reader: Reader): Promise<void>
  /** The reader's credential may have lost its right: nothing is sent until it has been checked. */
  suspect(reader: Reader): void
  /** Does work on what the readers may see. Resolves when their credentials are good after it, so that its result may be sent. */
  whileGood<T>(readers: readonly Reader[], work: () => Promise<T>): Promise<T>
}

// How long a check counts while this process may miss that a credential has ended.
const GOOD_FOR_MS = 300
const ATTEMPTS = 5

/** `isInformed` tells whether this process is sure to hear of every credential that ends. */
export function createTrust(isInformed: () => boolean): Trust {
  const checkedAt = new WeakMap<Reader, number>()
  const suspectedAt = new WeakMap<Reader, number>()

  function isGood(reader: Reader): boolean {
    if (!reader.viewer || !reader.isOpen) return true
    const checked = checkedAt.get(reader) ?? Number.NEGATIVE_INFINITY
    if (!isInformed()) return performance.now() - checked < GOOD_FOR_MS
    return checked >= (suspectedAt.get(reader) ?? Number.NEGATIVE_INFINITY)
  }

  async function recheck(reader: Reader): Promise<void> {
    if (!reader.viewer) return
    const { identify } = reader
    const startedAt = performance.now()
    const viewer = await identify()
    // The connection has authenticated as somebody else meanwhile.
    if (reader.identify !== identify) return
    if (viewer) {
      reader.viewer = viewer
      checkedAt.set(reader, startedAt)
    } else {
      reader.isOpen = false
      reader.sink.end(4401)
    }
  }

  return {
    recheck,
    suspect: (reader) => void suspectedAt.set(reader, performance.now()),
    async whileGood(readers, work) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        await Promise.all(readers.filter((reader) => !isGood(reader)).map(recheck))
        const viewers = readers.map(({ viewer }) => viewer)
        const result = await work()
        if (readers.every((reader, n) => isGood(reader) && reader.viewer === viewers[n])) return result
      }
      throw new Error('the credentials of listeners change faster than they can be checked')
    },
  }
}
