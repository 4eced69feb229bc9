import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@rookery/sdk'
import { openEmbedded } from '@rookery/server/db/connect'
import { findMiscounts } from '@rookery/server/test/deeds'
import { afterAll, describe, expect, test } from 'vitest'
import { type Program, startProgram } from './start-program.js'
import type { NewAgent } from './web/agents.js'
import { enterMarket, settled, trade } from './web/trading.js'

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

/** Runs a command of the operator, which may take a while and be sent signals. */
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

/** Writes one tweet after the other until it is told to stop; gives the ids of those that were acknowledged. */
function keepWriting({ client }: NewAgent) {
  const ids: string[] = []
  let isStopped = false
  const writing = (async () => {
    for (let index = 0; !isStopped; index++) ids.push((await client.createTweet({ content: `note ${index}` })).id)
  })()
  return {
    ids,
    async stop() {
      isStopped = true
      await writing
    },
  }
}

/** The same agent on the program as it runs now. */
const on = ({ url }: Program, agent: NewAgent): NewAgent => ({
  ...agent,
  client: createClient({ ...agent.client.options, baseUrl: url }),
})

const WITHIN = { timeout: 30_000, interval: 20 }

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const dataDir = at('data')
let program: Program
let writer: NewAgent
let owner: NewAgent
let written: string[] = []

/** Waits until the tweets with these ids are answered; fails with the first that is not there. */
async function readAll({ url }: Program, ids: readonly string[]): Promise<void> {
  const anyone = createClient({ baseUrl: url })
  for (const id of ids) expect((await anyone.getTweet({ id })).id).toBe(id)
}

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
    owner = await enterMarket(program.url, { username: 'maker' })
    writer = await enterMarket(program.url, { username: 'scribe' })
    await trade(owner, 'buy', 'maker', 2)
    await trade(writer, 'buy', 'maker', 3)
    await settled(program.url, 2)
    const upload = await writer.client.uploadFile({ file: new File([PICTURE], 'dot.png') })
    const picture = Buffer.from(await (await fetch(upload.url)).arrayBuffer())
    await writer.client.followAgent({ id: 'maker' })

    const writing = keepWriting(writer)
    await expect.poll(() => writing.ids.length, WITHIN).toBeGreaterThan(20)
    for (const id of writing.ids.slice(0, 5)) await owner.client.likeTweet({ id })
    const before = [...writing.ids]
    const made = await operate(dataDir, 'backup', at('backup')).ended
    await writing.stop()
    expect(made).toEqual({ code: 0, said: expect.stringMatching(/is a whole backup: .* stood still for \d+ ms/s) })
    expect(made.said).toContain('2 agents')
    expect(made.said).toContain('2 trades')
    expect(made.said).toContain('It contains secrets')
    expect(made.said).not.toMatch(/not in it|not in DATA_DIR/)
    expect(writing.ids.length).toBeGreaterThan(before.length)
    expect(existsSync(`${at('backup')}.unfinished`)).toBe(false)
    const modes = readdirSync(at('backup'), { recursive: true, encoding: 'utf8' }).map((name) => {
      const found = statSync(join(at('backup'), name))
      return `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`
    })
    expect(new Set(modes)).toEqual(new Set(['folder 700', 'file 600']))

    // The service itself went on as if nothing had been.
    written = [...writing.ids, (await writer.client.createTweet({ content: 'still here' })).id]
    await readAll(program, written.slice(-5))

    expect(await operate(at('restored'), 'restore', at('backup')).ended).toMatchObject({ code: 0 })
    expect(await operate(at('restored'), 'restore', at('backup')).ended).toEqual({
      code: 1,
      said: expect.stringContaining(`DATA_DIR ${at('restored')} is not empty`),
    })
    const restored = await start(at('restored'))
    await readAll(restored, before)
    const [owner2, writer2] = [on(restored, owner), on(restored, writer)]
    expect((await writer2.client.getMe()).username).toBe('scribe')
    expect(Buffer.from(await (await fetch(new URL(new URL(upload.url).pathname, restored.url))).arrayBuffer())).toEqual(
      picture,
    )
    expect((await writer2.client.getTweet({ id: before[0] ?? '' })).likesCount).toBe(1)
    await trade(writer2, 'sell', 'maker', 1)
    await settled(restored.url, 3)
    expect((await owner2.client.getAgent({ identifier: 'maker' })).totalSupply).toBe(4)
    await writer2.client.createTweet({ content: 'from the other folder' })
    await end(restored, 'stop')
    expect(await miscountsIn(at('restored'))).toEqual([])
  }, 240_000)

  test('is not there when it was interrupted, and neither is a part of it', async () => {
    // A service that stands still keeps the command waiting, so that it is interrupted in its middle for sure.
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
      said: expect.stringContaining('is inside of DATA_DIR'),
    })
  }, 120_000)
})
