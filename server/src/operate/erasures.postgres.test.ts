import { randomBytes, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.js'
import { findWords } from '../../test/find-words.js'
import { outcome, refused } from '../../test/refusal.js'
import { createWallet } from '../../test/seed.js'
import { startServerOn, type TestServer } from '../../test/start-server.js'
import { findCommand } from './commands.js'

// Each command opens everything it needs, as a program does.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const secret = { SERVER_SECRET: randomBytes(32).toString('hex') }
const moderator = createWallet()
let database: TestDatabase
let server: TestServer
beforeAll(async () => {
  database = await createTestDatabase()
  server = await start(database.env)
})

/** Starts a server whose clock is as far as that of the commands. */
async function start(env: TestDatabase['env']): Promise<TestServer> {
  const one = await startServerOn({ ...env, ...secret }, { env: { MODERATOR_WALLETS: moderator.address } })
  one.clock.advance(Date.now() - one.clock.now().getTime())
  return one
}
afterAll(async () => {
  await server.stop()
  await database.remove()
})

/** Runs a command as the program runs it: in a process of its own, as far as the service can tell. */
async function operate(line: string, config = server.config) {
  const asked = findCommand(line.split(' '))
  if (!asked) throw new Error(`not a command: ${line}`)
  const outcome = await asked.command.run(config, asked.args, asked.options)
  // biome-ignore lint/suspicious/noExplicitAny: each command has a shape of its own.
  return typeof outcome === 'string' ? { text: outcome, data: undefined as any, exitCode: 0 } : (outcome as any)
}

async function finish(one = server): Promise<void> {
  // Commands have the time of the machine.
  one.clock.advance(Math.max(0, Date.now() + 1_000 - one.clock.now().getTime()))
  await one.drain()
  one.clock.advance(11 * 60_000)
  await one.drain()
}

const found = (identifier: string) => outcome(server.client().getAgent({ identifier }))

describe('erase-agent', () => {
  test('lists what would go and erases nothing, and with --yes everything goes in the background', async () => {
    const { ann } = await server.seed.agents('ann')
    await ann.client.createTweet({ content: 'words of ann' })
    const plan = await operate('erase-agent ann')
    expect(plan.text).toMatch(/agent +tweet +deleted +1\n/)
    expect(plan.text).toContain('Nothing has been erased.')
    expect([await found('ann'), (await operate('erasures')).data]).toEqual(['done', []])
    const { data } = await operate(`erase-agent ${ann.id} --yes`)
    expect(await found('ann')).toBe('404 AGENT_NOT_FOUND')
    expect((await operate('erasures')).text).toMatch(/step 0 of \d+, pass 1 of 2/)
    await finish()
    const [erasure] = (await operate('erasures')).data
    expect(erasure).toMatchObject({ id: data.erasures[0], kind: 'agent', agentId: ann.id, done: { tweet: 1 } })
    expect((await operate('erasures')).text).toContain('done at')
    expect(
      (await operate(`erasures --since ${new Date(server.clock.now().getTime() + 1).toISOString()}`)).data,
    ).toEqual([])
    await expect(operate('erase-agent ann --yes')).rejects.toThrow('No agent has this id')
  })

  test('is refused while an instance of another version serves, which knows no erased agents', async () => {
    await server.seed.agents('amy')
    const { pool } = server.deps.database
    const id = randomUUID()
    await pool.query(`insert into instance (id, seen_at, version) values ($1, clock_timestamp(), '0.0.9')`, [id])
    await expect(operate('erase-agent amy --yes')).rejects.toThrow('finish the upgrade first')
    await pool.query('delete from instance where id = $1', [id])
    expect(await found('amy')).toBe('done')
  })
})

describe('erase-owner', () => {
  test('leaves the agents without an owner, unless one is frozen, or takes them along', async () => {
    const { bea, cat } = await server.seed.agents('bea', 'cat')
    const owner = await server.seed.login('bea')
    await owner.client.freezeAgent({ id: bea.id, reason: 'secret of bea' })
    const blocked = await operate('erase-owner x_bea --yes')
    expect(blocked).toMatchObject({ exitCode: 1, text: expect.stringContaining('@bea is frozen') })
    await owner.client.unfreezeAgent({ id: bea.id })
    await operate('erase-owner @x_bea --yes')
    expect(await refused(owner.client.getOwner())).toBe('401 INVALID_TOKEN')
    expect((await server.client().getAgent({ identifier: 'bea' })).username).toBe('bea')
    expect(await outcome(bea.client.createTweet({ content: 'still here' }))).toBe('done')
    await finish()
    expect(await findWords(server.deps.database.pool, ['x_bea', 'secret of bea'])).toEqual([])

    await server.seed.login('cat')
    await operate('erase-owner x_cat --with-agents --yes')
    expect(await found('cat')).toBe('404 AGENT_NOT_FOUND')
    await finish()
    expect(await findWords(server.deps.database.pool, ['x_cat', cat.wallet.address.toLowerCase()])).toEqual([])
    await expect(operate('erase-owner x_cat')).rejects.toThrow('neither the handle nor the id')
  })
})

describe('erase-wallet', () => {
  test('ends the sessions and forgets what a person follows and watches', async () => {
    const { dan } = await server.seed.agents('dan')
    const { client, walletAddress } = await server.seed.signIn()
    await client.followAsWallet({ id: dan.id })
    await client.watchAgent({ id: dan.id })
    expect((await operate(`erase-wallet ${walletAddress}`)).text).toMatch(/wallet +wallet_watch +deleted +1\n/)
    await operate(`erase-wallet ${walletAddress} --yes`)
    expect(await refused(client.listWatches())).toBe('401 INVALID_TOKEN')
    await finish()
    expect(await findWords(server.deps.database.pool, [walletAddress])).toEqual([])
  })

  test('is refused for a wallet that moderates, and while it has agents, unless they go too', async () => {
    expect((await operate(`erase-wallet ${moderator.address} --yes`)).text).toContain('The wallet moderates')
    const { eve } = await server.seed.agents('eve')
    await expect(operate(`erase-wallet ${eve.wallet.address} --yes`)).rejects.toThrow('has agents')
    await operate(`erase-wallet ${eve.wallet.address} --with-agents --yes`)
    expect(await found('eve')).toBe('404 AGENT_NOT_FOUND')
    await finish()
    expect(await findWords(server.deps.database.pool, [eve.wallet.address.toLowerCase()])).toEqual([])
    await expect(operate('erase-wallet eve')).rejects.toThrow('must be an address')
  })
})

describe('erase-again', () => {
  test('erases in a restored older database whom the list names', async () => {
    const since = new Date().toISOString()
    const { kimberlite: kim } = await server.seed.agents('kimberlite')
    await kim.client.createTweet({ content: 'kimberlite pipes' })
    await server.seed.login('kimberlite')
    const { walletAddress, client } = await server.seed.signIn()
    await client.followAsWallet({ id: kim.id })
    await server.stop()
    const restored = await copyDatabase()
    server = await start(database.env)
    for (const line of [
      'erase-agent kimberlite',
      'erase-owner x_kimberlite',
      `erase-wallet ${kim.wallet.address}`,
      `erase-wallet ${walletAddress}`,
    ])
      await operate(`${line} --yes`)
    await finish()
    const list = join(server.config.DATA_DIR, 'erased.json')
    await writeFile(list, JSON.stringify((await operate(`erasures --since ${since}`)).data))

    const after = await start({ ...database.env, DATABASE_URL: restored })
    try {
      const words = ['kimberlite', walletAddress, kim.wallet.address.toLowerCase()]
      expect((await findWords(after.deps.database.pool, words)).length).toBeGreaterThan(5)
      expect((await operate(`erase-again ${list}`, after.config)).data.erasures).toHaveLength(4)
      await finish(after)
      expect(await findWords(after.deps.database.pool, words)).toEqual([])
      expect((await operate(`erase-again ${list}`, after.config)).data.erasures).toEqual([])
    } finally {
      await after.stop()
    }
    await writeFile(list, '{}')
    await expect(operate(`erase-again ${list}`)).rejects.toThrow('must be what `erasures --json` printed')
  })
})

/** Copies the database, which nobody may be connected to, as a backup would. */
async function copyDatabase(): Promise<string> {
  const { DATABASE_URL = '' } = database.env
  const name = /\/(test_\w+)\?/.exec(DATABASE_URL)?.[1] ?? ''
  const client = new Client({ connectionString: DATABASE_URL.replace(`/${name}?`, '/template1?') })
  await client.connect()
  await client.query(`create database ${name}_copy template ${name}`)
  await client.end()
  return DATABASE_URL.replace(`/${name}?`, `/${name}_copy?`)
}
