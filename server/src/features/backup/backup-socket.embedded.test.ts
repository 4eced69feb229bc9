import { statSync, utimesSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type OpenDatabase, openEmbedded } from '../../foundation/db/connect.js'
import { backupSocketPath, openBackupSocket } from './backup-socket.js'
import { checkDatabase } from './check-database.js'
import { copyRunningDatabase } from './copy-database.js'
import { listFolder } from './files.js'
import { findRunningService, type RunningService } from './running-service.js'

const silent = { begin: () => {}, add: () => {}, end: () => {} }
const { signal } = new AbortController()
const watch = { signal, onBytes: () => {} }

let dataDir: string
let database: OpenDatabase
let socket: { close(): Promise<void> } | undefined
const held: number[] = []

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rookery-backup-socket-'))
  database = await openEmbedded(join(dataDir, 'database'), { image: inject('template') })
})
afterEach(async () => {
  await socket?.close()
  held.length = 0
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function openSocket(holdAtMostMs?: number): Promise<RunningService> {
  const onHeld = (ms: number) => held.push(ms)
  socket = await openBackupSocket({ dataDir, pool: database.pool, onHeld, ...(holdAtMostMs && { holdAtMostMs }) })
  const service = await findRunningService(dataDir, signal)
  if (!service) throw new Error('no service is listening')
  return service
}

const note = (name: string) => database.db.run(sql`insert into setting (name, value) values (${name}, 'x')`)
const never = new Promise<void>(() => {})

describe('a running service', () => {
  test('lets only its own account connect', async () => {
    const service = await openSocket()
    expect(statSync(backupSocketPath(dataDir)).mode & 0o777).toBe(0o600)
    service.close()
  })

  test('writes nothing while its database is held, and everything afterwards', async () => {
    const service = await openSocket()
    let isWritten = false
    let writing: Promise<unknown> | undefined
    await service.hold('mark', async () => {
      writing = note('while held').then(() => {
        isWritten = true
      })
      // Takes longer than a statement that is not blocked.
      await findRunningService(dataDir, signal).then((other) => other?.close())
      expect(isWritten).toBe(false)
      expect(database.pool.waitingCount).toBe(1)
    })
    await writing
    expect(isWritten).toBe(true)
    expect(held).toHaveLength(1)
    service.close()
  })

  test('continues when the process that holds its database is killed', async () => {
    await openSocket()
    const client = connect(backupSocketPath(dataDir))
    client.write(`${JSON.stringify({ ask: 'hold', mark: 'mark' })}\n`)
    await new Promise((answered) => client.once('data', answered))
    const writing = note('after a kill')
    client.destroy()
    await writing
    expect(held).toHaveLength(1)
  })

  test('continues when the copy takes too long, and the copy fails', async () => {
    const service = await openSocket(50)
    let isCopied = () => {}
    const copied = new Promise<void>((done) => {
      isCopied = done
    })
    const holding = service.hold('mark', () => copied)
    await expect.poll(() => held.length).toBe(1)
    await note('after a wait')
    isCopied()
    await expect(holding).rejects.toThrow('it stopped, or the copy took too long')
  })

  test('that stops while its database is held makes the copy fail', async () => {
    const service = await openSocket()
    const holding = service.hold('mark', () => Promise.race([never, socket?.close()]).then(() => {}))
    await expect(holding).rejects.toThrow('The service did not let its database be copied')
  })
})

describe('the copy of a running database', () => {
  /** Makes all files look unchanged for an hour, as most files of a large database are. */
  async function age(folder: string): Promise<void> {
    const { files } = await listFolder(folder)
    for (const { path } of files) {
      const time = statSync(join(folder, path)).mtimeMs / 1000 - 3600
      utimesSync(join(folder, path), time, time)
    }
  }

  test('has everything that was written until the database was paused, and nothing that came later', async () => {
    const service = await openSocket()
    const [from, to] = [join(dataDir, 'database'), join(dataDir, 'copy')]
    await database.pool.query('create table before_it as select * from generate_series(1, 5000) as n')
    await database.pool.query('checkpoint')
    await age(from)
    const late: RunningService = {
      ...service,
      async hold(mark, work) {
        // All files have been copied by now. These statements change, remove and add some.
        await database.pool.query('update before_it set n = n + 1')
        await database.pool.query('create table between as select * from generate_series(1, 5000) as n')
        await database.pool.query('drop table if exists webhook_delivery cascade')
        // After this checkpoint the write-ahead log no longer has these changes; only the files do.
        await database.pool.query('checkpoint')
        const heldMs = await service.hold(mark, work)
        await database.pool.query('create table after_it (n integer)')
        return heldMs
      },
    }
    await copyRunningDatabase(from, to, watch, silent, { service: late, mark: 'the mark' })
    const { facts } = await checkDatabase(to, { mark: 'the mark', signal })
    expect(facts.agents).toBe(0)
    const copy = await openEmbedded(to, { image: undefined })
    const found = await copy.pool.query(`select (select sum(n)::int from before_it) as before_it,
      (select sum(n)::int from between) as between, to_regclass('after_it') as after_it, to_regclass('webhook_delivery') as gone`)
    await copy.close()
    const sum = (5000 * 5001) / 2
    expect(found.rows).toEqual([{ before_it: sum + 5000, between: sum, after_it: null, gone: null }])
    await expect(checkDatabase(to, { mark: 'another', signal })).rejects.toThrow('the last write is missing from it')
    service.close()
  }, 60_000)

  test('is refused when a page of it is damaged, or a part is missing', async () => {
    const { rows } = await database.pool.query("select pg_relation_filepath('before_it') as path")
    const service = await openSocket()
    const [from, to] = [join(dataDir, 'database'), join(dataDir, 'damaged')]
    await copyRunningDatabase(from, to, watch, silent, { service, mark: 'mark' })
    service.close()
    const file = await open(join(to, String(rows[0]?.path)), 'r+')
    await file.write(Buffer.from('damage'), 0, 6, 8192 + 4000)
    await file.close()
    await expect(checkDatabase(to, { mark: 'mark', signal })).rejects.toThrow('The copy of the database cannot be used')
    await rm(join(to, 'PG_VERSION'))
    await expect(checkDatabase(to, { mark: 'mark', signal })).rejects.toThrow('PG_VERSION is missing')
  }, 60_000)
})
