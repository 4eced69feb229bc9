import type { Pool, PoolClient } from 'pg'
import { Histogram } from 'prom-client'
import type { Metrics } from '../metrics.js'

const BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5]

/** Measures a pool of connections: how many there are, who waits, and for how long. */
export function measurePool(pool: Pool, metrics: Metrics): void {
  metrics.gauge(
    'rookery_database_connections',
    'Connections to the database, by state.',
    async () => [
      { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
    ],
    ['state'],
  )
  metrics.gauge('rookery_database_pool_size', 'Connections that there may be at most.', async () => pool.options.max)
  metrics.gauge('rookery_database_waiting', 'Work that waits for a connection.', async () => pool.waitingCount)
  const wait = new Histogram({
    name: 'rookery_database_wait_seconds',
    help: 'How long work waited for a connection, where none was idle.',
    buckets: BUCKETS_SECONDS,
    registers: [metrics.registry],
  })

  type Connected = (
    error: Error | undefined,
    client: PoolClient | undefined,
    release: (release?: unknown) => void,
  ) => void
  const connect = pool.connect.bind(pool) as (done?: Connected) => Promise<PoolClient> | undefined
  // The pool itself connects by this method too, for single statements.
  const measured = (done?: Connected): Promise<PoolClient> | undefined => {
    if (pool.idleCount > pool.waitingCount) return connect(done)
    const startedAt = performance.now()
    const observe = () => wait.observe((performance.now() - startedAt) / 1000)
    if (done)
      return connect((error, client, release) => {
        observe()
        done(error, client, release)
      })
    const connecting = connect()
    connecting?.then(observe, observe)
    return connecting
  }
  pool.connect = measured as typeof pool.connect
}
