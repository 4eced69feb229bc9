import { setTimeout as wait } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { DatabaseAway, takesNoWrites } from './away.js'

/** What the driver needs to connect to a database that may be on several servers. */
export interface Servers {
  /** A URL of one server, for everything except host and port. */
  readonly connectionString: string
  /** Makes a client that connects to the server that takes writes. */
  readonly Client: typeof Client
  /** Looks again where to connect to, after a server was found that cannot be used. */
  forget(): void
}

const AUTHORITY = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is

/**
 * The URL of each server that a URL names, as libpq reads it: `h1:5432,h2:5433` between the `//` and the path, or `host=` and
 * `port=` among the parameters. The driver knows only URLs of one server.
 */
export function listServers(url: string): string[] {
  const [, before = '', authority = '', after = ''] = AUTHORITY.exec(url) ?? []
  const [path = '', query = ''] = after.split(/\?(.*)/s)
  const parameters = new URLSearchParams(query)
  const hosts = parameters.get('host')?.split(',') ?? []
  const ports = parameters.get('port')?.split(',') ?? []
  const named = authority.split(',')
  if (named.length < 2 && hosts.length < 2) return [url]
  if (hosts.length === 0) return named.map((one) => `${before}${one}${after}`)
  return hosts.map((host, n) => {
    parameters.set('host', host)
    const port = ports[n] ?? ports[0]
    if (port !== undefined) parameters.set('port', port)
    return `${before}${authority}${path}?${parameters}`
  })
}

/** What the driver needs to connect to this database. With one server that is the driver itself. */
export function findServers(url: string): Servers {
  const [first = url, ...others] = listServers(url)
  if (others.length === 0) return { connectionString: first, Client, forget: () => {} }
  return { connectionString: first, ...createSeeker([first, ...others]) }
}

/** A server that takes writes. */
interface Server {
  readonly host: string
  readonly port: number
  /** Counts promotions. A server that was replaced by another and came back has a lower one. */
  readonly timeline: string
}

// A server that does not answer must not keep the service from another one.
const PROBE_MS = 2_000
const OTHERS_MS = 250

function createSeeker(urls: readonly string[]): Omit<Servers, 'connectionString'> {
  let known: Server | undefined
  let seeking: Promise<Server> | undefined

  function seek(): Promise<Server> {
    seeking ??= findWritable(urls)
      .then((found) => (known = found))
      .finally(() => (seeking = undefined))
    return seeking
  }

  async function connectTo(client: Client, connect: () => Promise<Client>): Promise<Client> {
    const server = known ?? (await seek())
    Object.assign(client, { host: server.host, port: server.port })
    try {
      return await connect()
    } catch (error) {
      if (known === server) known = undefined
      throw error
    }
  }

  function Seeker(config: ClientConfig): Client {
    const client = new Client(config)
    const connect: () => Promise<Client> = client.connect.bind(client)
    // The library's pool passes a callback.
    const seekAndConnect = (callback?: (error?: Error) => void) => {
      const connected = connectTo(client, connect)
      if (callback) connected.then(() => callback(), callback)
      return connected
    }
    return Object.assign(client, { connect: seekAndConnect })
  }
  return {
    Client: Seeker as unknown as typeof Client,
    forget() {
      known = undefined
    },
  }
}

async function findWritable(urls: readonly string[]): Promise<Server> {
  const probes = urls.map(probe)
  const all = Promise.allSettled(probes)
  const first = await Promise.any(probes).catch(() => undefined)
  if (!first) throw mostTelling((await all).map((probe) => (probe as PromiseRejectedResult).reason))
  // After a failover the old server may be back and take writes too, before somebody stops it.
  const found: Server[] = [first]
  for (const probe of probes)
    probe.then(
      (server) => found.push(server),
      () => {},
    )
  await Promise.race([all, wait(OTHERS_MS)])
  return found.reduce((best, server) => (server.timeline > best.timeline ? server : best))
}

function mostTelling(errors: readonly Error[]): Error {
  return errors.find((error) => error instanceof DatabaseAway) ?? errors[0] ?? new Error('no server')
}

async function probe(connectionString: string): Promise<Server> {
  const options: ClientConfig = { connectionString, application_name: 'rookery-probe' }
  const client = new Client({ ...options, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(`
      select current_setting('transaction_read_only') = 'on' as "isReadOnly",
        case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`)
    const [{ isReadOnly, timeline }] = rows
    if (isReadOnly) throw takesNoWrites()
    return { host: client.host, port: client.port, timeline }
  } finally {
    void client.end().catch(() => {})
  }
}
