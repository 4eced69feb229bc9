import type { Db } from '../../foundation/db/db.js'

/** Tells the sender of this process that deliveries became due which it does not know of: tests, and those sent again. */
export interface DueDeliveries {
  /** Tells it when what `db` writes has committed. */
  announce(db: Db): void
  onDue(listener: () => void): void
}

export function createDueDeliveries(): DueDeliveries {
  const listeners: (() => void)[] = []
  return {
    announce: (db) =>
      db.afterCommit(() => {
        for (const listener of listeners) listener()
      }),
    onDue: (listener) => void listeners.push(listener),
  }
}
