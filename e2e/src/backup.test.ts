import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@rookery/sdk'
import { openEmbedded } from '@rookery/server/database'
import { findMiscounts } from '@rookery/server/test/random-actions'
import { afterAll, describe, expect, test } from 'vitest'
import { type Program, startProgram } from './start-program.js'
import type { NewAgent } from './web/agents.js'
import { enterMarket, trade } from './web/trading.js'

const root = await mkdtemp(join(tmpdir(), 'rookery-backup-'))
const running = new Set<Program>()
afterAll(async () => {
  for (const program of running) await program.kill()
  await rm(root, { recursive: true, force: true })
})

const OPERATE = fileURLToPath(new URL('../../server/dist/operate.js', import.meta.url))
const at = (name: string) => join(root, name)

async function start(dataDir: string): Promise<Program> {
  const program = await startProgram({ dataDir })
  running.add(program)
  return program
}

async function end(program: Program, how: 'stop' | 'kill'): Promise<void> {
  running.delete(program)
  await program[how]()
}

/** Runs an operator command, which may take a while and can be sent signals. */
function operate(dataDir: string, ...args: string[]) {
  const child = spawn(process.execPath, [OPERATE, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const ended = new Promise<{ code: number | null; said: string }>((done) =>
    child.once('close', (code) => done({ code, said })),
  )
  return { ended, said: () => said, interrupt: () => child.kill('SIGINT') }
}

/** Makes a one-pixel picture of the given colour. */
function makePicture(color: number): File {
  const head = [...Buffer.from('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, color & 255, (color >> 8) & 255, 99, 0, 0, 0]
  return new File([Uint8Array.of(...head, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b)], 'dot.gif')
}

/** Writes, uploads and trades until stopped; remembers what was acknowledged. */
function keepBusy(scribe: NewAgent, maker: NewAgent) {
  const tweets: string[] = []
  const uploads: string[] = []
  const done = { tweets, uploads, trades: 0 }
  let isStopped = false
  async function again(work: (index: number) => Promise<void>): Promise<void> {
    for (let index = 0; !isStopped; index++) {
      await work(index)
      // Leaves some CPU time for the backup.
      await wait(20)
    }
  }
  const work = Promise.all([
    again(async (index) => void tweets.push((await scribe.client.createTweet({ content: `note ${index}` })).id)),
    again(async (index) => void uploads.push((await scribe.client.uploadFile({ file: makePicture(index) })).url)),
    again(async (index) => {
      await trade(maker, index % 2 === 0 ? 'buy' : 'sell', 'maker', index === 0 ? 3 : 1)
      done.trades++
    }),
  ])
  return {
    done,
    async stop() {
      isStopped = true
      await work
    },
  }
}

/** The same agent, connected to the program that is running now. */
const on = ({ url }: Program, agent: NewAgent): NewAgent => ({
  ...agent,
  client: createClient({ ...agent.client.options, baseUrl: url }),
})

const WITHIN = { timeout: 30_000, interval: 20 }

const dataDir = at('data')
let program: Program
let written: string[] = []

/** Throws at the first missing tweet. */
async function readAll({ url }: Program, ids: readonly string[]): Promise<void> {
  const anyone = createClient({ baseUrl: url })
  for (const id of ids) expect((await anyone.getTweet({ id })).id).toBe(id)
}

const tradesOn = async ({ url }: Program) => (await createClient({ baseUrl: url }).listTrades({ limit: 1 })).meta.total

async function miscountsIn(folder: string): Promise<unknown[]> {
  const database = await openEmbedded(join(folder, 'database'), { image: undefined })
  try {
    return await findMiscounts(database.pool)
  } finally {
    await database.close()
  }
}

describe('a backup of the running program', () => {
  test('has everything that was acknowledged before, checked, and starts elsewhere with it', async () => {
    program = await start(dataDir)
    const maker = await enterMarket(program.url, { username: 'maker' })
    const scribe = await enterMarket(program.url, { username: 'scribe' })
    await scribe.client.followAgent({ id: 'maker' })
    const busy = keepBusy(scribe, maker)
    await expect
      .poll(() => Math.min(busy.done.tweets.length, busy.done.uploads.length, busy.done.trades), WITHIN)
      .toBeGreaterThan(4)
    for (const id of busy.done.tweets.slice(0, 5)) await maker.client.likeTweet({ id })
    const before = structuredClone(busy.done)
    const made = await operate(dataDir, 'backup', at('backup')).ended
    await busy.stop()
    expect(made).toEqual({ code: 0, said: expect.stringMatching(/is a complete backup: .* was paused for \d+ ms/s) })
    expect(made.said).toContain('2 agents')
    expect(made.said).toContain('It contains secrets')
    expect(made.said).not.toMatch(/not in it|not in DATA_DIR/)
    for (const what of ['tweets', 'uploads'] as const)
      expect(busy.done[what].length).toBeGreaterThan(before[what].length)
    expect(existsSync(`${at('backup')}.unfinished`)).toBe(false)
    const modes = readdirSync(at('backup'), { recursive: true, encoding: 'utf8' }).map((name) => {
      const found = statSync(join(at('backup'), name))
      return `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`
    })
    expect(new Set(modes)).toEqual(new Set(['folder 700', 'file 600']))

    // The service itself was not affected.
    written = [...busy.done.tweets, (await scribe.client.createTweet({ content: 'still here' })).id]
    await readAll(program, written)

    expect(await operate(at('restored'), 'restore', at('backup')).ended).toMatchObject({ code: 0 })
    expect(await operate(at('restored'), 'restore', at('backup')).ended).toEqual({
      code: 1,
      said: expect.stringContaining(`DATA_DIR ${at('restored')} is not empty`),
    })
    const restored = await start(at('restored'))
    await readAll(restored, before.tweets)
    for (const url of before.uploads) {
      const [there, here] = [await fetch(`${restored.url}${url.slice(new URL(url).origin.length)}`), await fetch(url)]
      expect(there.status).toBe(200)
      expect(Buffer.from(await there.arrayBuffer())).toEqual(Buffer.from(await here.arrayBuffer()))
    }
    const scribe2 = on(restored, scribe)
    expect((await scribe2.client.getMe()).username).toBe('scribe')
    expect((await scribe2.client.getTweet({ id: before.tweets[0] ?? '' })).likesCount).toBe(1)
    await scribe2.client.createTweet({ content: 'from the other folder' })
    // In the backup the chain may be ahead of the database but never behind it; the service catches up.
    await expect.poll(() => tradesOn(restored), WITHIN).toBeGreaterThanOrEqual(before.trades)
    await trade(scribe2, 'buy', 'maker', 2)
    const sharesOf = async ({ client }: NewAgent) => (await client.getAgent({ identifier: 'maker' })).yourShare
    await expect.poll(() => sharesOf(scribe2), WITHIN).toBe(2)
    await end(restored, 'stop')
    expect(await miscountsIn(at('restored'))).toEqual([])
  }, 240_000)

  test('is not there when it was interrupted, and neither is a part of it', async () => {
    // A frozen service keeps the command waiting, so the interruption is sure to hit it halfway.
    process.kill(program.pid, 'SIGSTOP')
    const backup = operate(dataDir, 'backup', at('interrupted'))
    await expect.poll(() => existsSync(`${at('interrupted')}.unfinished`), WITHIN).toBe(true)
    backup.interrupt()
    expect(await backup.ended).toEqual({ code: 1, said: expect.stringContaining('Stopped. Nothing was left behind.') })
    process.kill(program.pid, 'SIGCONT')
    expect(readdirSync(root).filter((name) => name.startsWith('interrupted'))).toEqual([])
    await readAll(program, written.slice(-1))
  }, 120_000)

  test('is not there, or whole, when the service is killed meanwhile, which loses nothing of its own', async () => {
    const backup = operate(dataDir, 'backup', at('killed'))
    await expect.poll(backup.said, WITHIN).toContain('Copying the database')
    await end(program, 'kill')
    const { code, said } = await backup.ended
    if (code === 0) expect(await operate(dataDir, 'check-backup', at('killed')).ended).toMatchObject({ code: 0 })
    else {
      expect(said).toContain('The service did not let its database be copied')
      expect(readdirSync(root).filter((name) => name.startsWith('killed'))).toEqual([])
    }
    const again = await start(dataDir)
    await readAll(again, written)
    await end(again, 'stop')
  }, 120_000)

  test('is made the same way while the program is stopped, and refused when it is damaged', async () => {
    expect(await operate(dataDir, 'backup', at('stopped')).ended).toEqual({
      code: 0,
      said: expect.stringContaining(`${written.length} tweets`),
    })
    const damaged = join(at('stopped'), 'data/chain/journal-0')
    const bytes = readFileSync(damaged)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    writeFileSync(damaged, bytes)
    const refusal = { code: 1, said: expect.stringContaining('data/chain/journal-0 does not have the content') }
    expect(await operate(dataDir, 'check-backup', at('stopped')).ended).toEqual(refusal)
    expect(await operate(at('never'), 'restore', at('stopped')).ended).toEqual(refusal)
    expect(existsSync(at('never'))).toBe(false)
    expect(await operate(dataDir, 'backup', at('stopped')).ended).toMatchObject({
      code: 1,
      said: expect.stringContaining('is not empty'),
    })
    expect(await operate(dataDir, 'backup', join(dataDir, 'inside')).ended).toMatchObject({
      code: 1,
      said: expect.stringContaining('is inside DATA_DIR'),
    })
  }, 120_000)
})
