import { hostname } from 'node:os'
import type { Client } from 'pg'
import sql from 'sql-template-tag'
import { systemClock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import type { Row } from '../db/row.js'
import { findServers } from '../db/servers.js'
import { isDirect, isHeard } from '../db/sessions.js'
import { createHandlers, type Peers } from './peers.js'

// Every BEAT_MS an instance proves, on the connection it listens on, that it would have received a notice: PostgreSQL
// delivers notices on a connection before it answers the next statement there. After LEASE_MS without proof the instance
// stops trusting its cache, so a sender that has waited longer than that for an acknowledgement need not wait on. The time of a
// proof is when it was asked for, on two clocks: one that nobody sets, so that a process that stood still trusts nothing, and the
// system's, as the other may stand still while the machine sleeps or is moved.
const BEAT_MS = 200
const LEASE_MS = 700
const WAIT_MS = 1_000
// Every SIGN_MS an instance writes that it lives. One that trusts its cache has done so within SEEN_MS.
const SIGN_MS = 1_000
const SEEN_MS = 4_000
// A connection that gives no answer for this long is replaced.
const ANSWER_MS = 2_000
const AGAIN_MS = 1_000
const CHANNEL = 'rookery_peers'
const SIGN = `
  insert into instance (id, seen_at, role, version, host, pid, started_at)
  values ($1, clock_timestamp(), $2, $3, $4, $5, clock_timestamp())
  on conflict (id) do update set seen_at = clock_timestamp()
  returning pg_backend_pid() as number, draining_since is not null as is_draining`

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
  /** What the instance says of itself. */
  about?: { readonly role: string; readonly version: string }
  onError(error: Error): void
}): Promise<Peers> {
  const { db, url, instanceId, about, onError } = options
  const handlers = createHandlers()
  const onGap: (() => void)[] = []
  const waiting = new Map<string, (from: string) => void>()
  const servers = findServers(url)
  let connection: Client | undefined
  let session: number | undefined
  let signedAt = Number.NEGATIVE_INFINITY
  let proven: readonly [number, number] | undefined
  let closed = false
  let isDraining = false
  let sentCount = 0

  const say = (channel: string, text: string) => db.run(sql`select pg_notify(${channel}, ${text})`)
  const send = (notice: Notice) => say(CHANNEL, JSON.stringify(notice))

  function receive(payload: string): void {
    const notice = JSON.parse(payload) as Notice
    if (notice.kind === 'heard') waiting.get(notice.id)?.(notice.from)
    if (notice.kind === 'heard' || notice.from === instanceId) return
    handlers.run(notice.topic, notice.body)
    if (notice.kind === 'mention') return
    send({ ...notice, kind: 'heard', from: instanceId }).catch(onError)
  }

  async function connect(): Promise<Client> {
    const client = new servers.Client({
      connectionString: servers.connectionString,
      application_name: 'rookery-peers',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    })
    client.on('error', onError)
    client.on('notification', ({ payload }) => payload && receive(payload))
    try {
      await client.connect()
      // A pooler may keep sessions, or may have kept them when the service started.
      if (!(await isDirect(client)) && !(await isHeard(client, (channel) => say(channel, ''))))
        throw new Error('no messages arrive through the pooler')
      await client.query(`listen ${CHANNEL}`)
      return client
    } catch (error) {
      servers.forget()
      await client.end().catch(() => {})
      throw error
    }
  }

  /** Asks for an answer, and now and then writes that this instance lives. Returns the number of the server's process. */
  async function prove(client: Client, startedAt: number): Promise<number | undefined> {
    if (startedAt - signedAt < SIGN_MS) return numberIn(await client.query('select pg_backend_pid() as number'))
    const values = [instanceId, about?.role, about?.version, hostname(), process.pid]
    const signed = await client.query<{ number: number; is_draining: boolean }>({ text: SIGN, values })
    isDraining = signed.rows[0]?.is_draining ?? false
    const number = numberIn(signed)
    signedAt = startedAt
    return number
  }

  async function beat(): Promise<void> {
    try {
      if (!connection) {
        connection = await connect()
        session = undefined
        signedAt = Number.NEGATIVE_INFINITY
        for (const handler of onGap) handler()
      }
      const startedAt = readClocks()
      const number = await prove(connection, startedAt[0])
      session ??= number
      if (number !== session) throw new Error('the session was lost')
      proven = startedAt
    } catch (error) {
      onError(error as Error)
      const broken = connection
      connection = undefined
      await broken?.end().catch(() => {})
    }
  }

  async function keepBeating(): Promise<void> {
    await beat()
    if (!closed) timer = setTimeout(() => (beating = keepBeating()), connection ? BEAT_MS : AGAIN_MS)
  }

  let timer: NodeJS.Timeout | undefined
  let beating = keepBeating()
  await beating

  async function listLivePeers(): Promise<string[]> {
    const rows = await db.many<Row<'instance', 'id'>>(
      sql`select id from instance where id <> ${instanceId} and seen_at > clock_timestamp() - make_interval(secs => ${SEEN_MS / 1000})`,
    )
    return rows.map((row) => row.id)
  }

  return {
    instanceId,
    on: handlers.on,
    onGap: (handler) => void onGap.push(handler),
    isDraining: () => isDraining,
    isListening() {
      const now = readClocks()
      return proven?.every((time, n) => Math.abs((now[n] ?? 0) - time) < LEASE_MS) ?? false
    },
    async broadcast(topic, body) {
      handlers.run(topic, body)
      const id = `${instanceId}:${++sentCount}`
      const heard = new Set<string>()
      let onHeard = () => {}
      waiting.set(id, (from) => {
        heard.add(from)
        onHeard()
      })
      try {
        await send({ id, from: instanceId, kind: 'tell', topic, body })
        const sentAt = performance.now()
        // Whoever is not in the list yet began to listen before the message, or reads only what is newer.
        const live = await listLivePeers()
        const isDone = () => live.every((peer) => heard.has(peer))
        if (isDone()) return
        await new Promise<void>((resolve) => {
          const timeout = setTimeout(resolve, Math.max(sentAt + WAIT_MS - performance.now(), 0))
          onHeard = () => {
            if (!isDone()) return
            clearTimeout(timeout)
            resolve()
          }
        })
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

const readClocks = () => [performance.now(), systemClock.now().getTime()] as const

function numberIn({ rows }: { rows: readonly { number?: number }[] }): number | undefined {
  return rows[0]?.number
}
