/**
 * Tells the other instances that there is something new to read. It carries nothing, and may lose or repeat what it
 * says: who hears nothing looks for itself a little later.
 */
export interface Waker {
  /** Wakes the others. */
  wake(): void
  /** Calls `listener` when another instance woke this one, and whenever it may have missed that. */
  onWoken(listener: () => void): void
  close(): Promise<void>
}

/** There is nobody to wake. */
export const loneWaker: Waker = { wake: () => {}, onWoken: () => {}, close: async () => {} }
