import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'

const TOPIC = 'shares.indexed'

/** Announces on all instances, after the commit, that new transactions are in the index. */
export function announceIndexed({ peers, log }: Pick<Deps, 'peers' | 'log'>, db: Db): void {
  db.afterCommit(() => {
    peers
      .broadcast(TOPIC, '')
      .catch((error: Error) => log.warn({ message: error.message }, 'others were not notified of new transactions'))
  })
}

/** Calls `listener` when there may be new transactions in the index, from any instance. */
export function onIndexed({ peers }: Pick<Deps, 'peers'>, listener: () => void): void {
  peers.on(TOPIC, listener)
  peers.onGap(listener)
}
