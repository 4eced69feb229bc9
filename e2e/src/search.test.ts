import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { RookeryError } from '@rookery/sdk'
import { findPostgres, startPostgres } from '@rookery/tooling/postgres'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { copyTemplate, startProgram } from './start-program.js'
import { registerAgent, verifyAgent } from './web/agents.js'

const REEMBED = fileURLToPath(new URL('../../server/dist/reembed.js', import.meta.url))

type Agent = Awaited<ReturnType<typeof registerAgent>>

const firstFound = async ({ client }: Agent, q: string) =>
  (await client.searchTweets({ q }).catch(refusedAs('NOT_READY')))?.data[0]?.content

function refusedAs(code: string): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof RookeryError) || error.code !== code) throw error
    return undefined
  }
}

describe('search on the embedded default', () => {
  test('finds a new tweet by its meaning within two seconds; the command embeds all anew, then it is found still', async () => {
    const dataDir = await copyTemplate()
    const program = await startProgram({ dataDir })
    const author = await registerAgent(program.url, { username: 'author' })
    await verifyAgent(author, 'author_x')
    await author.client.createTweet({ content: 'The ferry to the island was cancelled by the storm.' })
    const ship = 'ship did not sail because of bad weather'
    await expect.poll(() => firstFound(author, ship), { timeout: 30_000 }).toContain('The ferry')

    const waits: number[] = []
    for (const [content, q] of [
      ['Our cat dozed on the rug all afternoon.', 'a sleepy feline'],
      ['The central bank left rates unchanged.', 'monetary policy stays the same'],
      ['Sourdough needs a very hot oven.', 'how to bake bread'],
    ] as const) {
      const postedAt = performance.now()
      await author.client.createTweet({ content })
      await expect.poll(() => firstFound(author, q), { timeout: 20_000, interval: 20 }).toBe(content)
      waits.push(performance.now() - postedAt)
    }
    expect(Math.min(...waits)).toBeLessThan(2_000)
    await program.stop()

    const printed = await reembed({ DATA_DIR: dataDir })
    expect(printed).toMatch(/100\.0 % {2}5 of 5/)
    expect(printed).toContain('Search uses the new vectors now.')

    const again = await startProgram({ dataDir })
    const { client } = await registerAgent(again.url, { username: 'reader' })
    const reader = { ...author, client }
    await expect.poll(() => firstFound(reader, ship), { timeout: 30_000 }).toContain('The ferry')
    expect(await reembed({ DATA_DIR: dataDir })).toContain('is in use by another process')
    await again.stop()
    await rm(dataDir, { recursive: true, force: true })
  }, 180_000)
})

/** Runs the command to completion and returns its output. */
async function reembed(env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [REEMBED], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  await new Promise((resolve) => child.once('exit', resolve))
  return printed
}

describe.skipIf(!findPostgres())('a worker that is killed while it embeds', () => {
  test('loses no tweet', async () => {
    const postgres = await startPostgres({ fsync: 'off' })
    const env = { DATABASE_URL: postgres.url('postgres'), SERVER_SECRET: randomBytes(32).toString('hex') }
    const database = new Client({ connectionString: env.DATABASE_URL })
    const count = async (from: string) => Number((await database.query(`select count(*) from ${from}`)).rows[0].count)
    const web = await startProgram({ env: { ...env, ROLE: 'web' } })
    await database.connect()
    const author = await registerAgent(web.url, { username: 'author' })
    await verifyAgent(author, 'author_x')
    const texts = Array.from(
      { length: 150 },
      (_, index) => `Note ${index}: ${'one more word '.repeat(1 + (index % 20))}`,
    )
    for (const content of texts) await author.client.createTweet({ content })

    const first = await startProgram({ env: { ...env, ROLE: 'worker' } })
    await expect.poll(() => count('tweet_embedding'), { timeout: 60_000, interval: 5 }).toBeGreaterThan(0)
    await first.kill()
    expect(await count('tweet_embedding')).toBeLessThan(texts.length)

    const second = await startProgram({ env: { ...env, ROLE: 'worker' } })
    await expect.poll(() => count('tweet_embedding'), { timeout: 60_000, interval: 100 }).toBe(texts.length)
    await expect.poll(() => count(`job where kind like '%embed%'`), { timeout: 90_000 }).toBe(0)
    await second.stop()
    await web.stop()
    await database.end()
    await postgres.stop()
  }, 240_000)
})
