/**
 * Notifies the other instances that there is something new to read. A notification carries no data and may be lost or
 * repeated: instances also poll.
 */
export interface Waker {
  /** Wakes the other instances. */
  wake(): void
  /** Calls `listener` when another instance wakes this one, and whenever a wake-up may have been missed. */
  onWoken(listener: () => void): void
  close(): Promise<void>
}

/** For a lone instance. */
export const loneWaker: Waker = { wake: () => {}, onWoken: () => {}, close: async () => {} }
