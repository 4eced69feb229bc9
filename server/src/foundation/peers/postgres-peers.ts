import { Client } from 'pg'
import sql from 'sql-template-tag'
import type { Db } from '../db/db.js'
import type { Row } from '../db/row.js'
import { createHandlers, type Peers } from './peers.js'

// Every BEAT_MS an instance proves, on the connection it listens on, that it would have received a notice: PostgreSQL
// delivers notices on a connection before it answers the next statement there. After LEASE_MS without proof the instance
// stops trusting its cache, so a sender that has waited longer than that for an acknowledgement need not wait on.
const BEAT_MS = 1_000
const LEASE_MS = 2_500
const WAIT_MS = 3_000
// A connection that gives no answer for this long is replaced.
const ANSWER_MS = 2_000
const CHANNEL = 'rookery_peers'

interface Notice {
  readonly id: string
  readonly from: string
  readonly kind: 'tell' | 'heard' | 'mention'
  readonly topic: string
  readonly body: string
}

/** Instances that talk to each other through PostgreSQL. */
export async function openPostgresPeers(options: {
  db: Db
  url: string
  instanceId: string
  onError(error: Error): void
}): Promise<Peers> {
  const { db, url, instanceId, onError } = options
  const handlers = createHandlers()
  const onGap: (() => void)[] = []
  const waiting = new Map<string, (from: string) => void>()
  let connection: Client | undefined
  let provenAt = Number.NEGATIVE_INFINITY
  let closed = false
  let sentCount = 0

  function send(notice: Notice): Promise<unknown> {
    return db.run(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`)
  }

  function receive(payload: string): void {
    const notice = JSON.parse(payload) as Notice
    if (notice.kind === 'heard') waiting.get(notice.id)?.(notice.from)
    if (notice.kind === 'heard' || notice.from === instanceId) return
    handlers.run(notice.topic, notice.body)
    if (notice.kind === 'mention') return
    send({ ...notice, kind: 'heard', from: instanceId }).catch(onError)
  }

  async function connect(): Promise<Client> {
    const client = new Client({
      connectionString: url,
      application_name: 'rookery-peers',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    })
    client.on('error', onError)
    client.on('notification', ({ payload }) => payload && receive(payload))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      return client
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }

  async function beat(): Promise<void> {
    const startedAt = performance.now()
    try {
      if (!connection) {
        connection = await connect()
        for (const handler of onGap) handler()
      }
      await connection.query({
        text: 'insert into instance (id, seen_at) values ($1, clock_timestamp()) on conflict (id) do update set seen_at = clock_timestamp()',
        values: [instanceId],
      })
      provenAt = startedAt
    } catch (error) {
      onError(error as Error)
      const broken = connection
      connection = undefined
      await broken?.end().catch(() => {})
    }
  }

  async function keepBeating(): Promise<void> {
    await beat()
    if (!closed) timer = setTimeout(() => (beating = keepBeating()), BEAT_MS)
  }

  let timer: NodeJS.Timeout | undefined
  let beating = keepBeating()
  await beating

  async function listLivePeers(): Promise<Set<string>> {
    const rows = await db.many<Row<'instance', 'id'>>(
      sql`select id from instance where id <> ${instanceId} and seen_at > clock_timestamp() - make_interval(secs => ${WAIT_MS / 1000})`,
    )
    return new Set(rows.map((row) => row.id))
  }

  return {
    on: handlers.on,
    onGap: (handler) => void onGap.push(handler),
    isListening: () => performance.now() - provenAt < LEASE_MS,
    async broadcast(topic, body) {
      handlers.run(topic, body)
      const silent = await listLivePeers()
      if (silent.size === 0) return
      const id = `${instanceId}:${++sentCount}`
      const allAcknowledged = new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, WAIT_MS)
        waiting.set(id, (from) => {
          silent.delete(from)
          if (silent.size > 0) return
          clearTimeout(timeout)
          resolve()
        })
      })
      try {
        await send({ id, from: instanceId, kind: 'tell', topic, body })
        await allAcknowledged
      } finally {
        waiting.delete(id)
      }
    },
    async publish(topic, body) {
      await send({ id: `${instanceId}:${++sentCount}`, from: instanceId, kind: 'mention', topic, body })
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await beating
      await db.run(sql`delete from instance where id = ${instanceId}`).catch(onError)
      await connection?.end()
    },
  }
}
