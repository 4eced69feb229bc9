import { readFileSync } from 'node:fs'
import { findPostgres, startPostgres } from '@rookery/tooling/postgres'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Program, startProgram } from './start-program.js'
import { registerAgent, verifyAgent } from './web/agents.js'

const SOON = { timeout: 60_000, interval: 50 }
const LONG = 180_000

/** The processes that a program has started, by their names. */
function findChildren({ pid }: Program): Map<string, number> {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return new Map(
    children.flatMap((child) => {
      const name = readFileSync(`/proc/${child}/cmdline`, 'utf8')
        .split('\0')
        .find((word) => /^(web-\d+|worker)$/.test(word))
      return name === undefined ? [] : [[name, Number(child)] as const]
    }),
  )
}

/** A call on a connection of its own, which goes to the processes in turn. */
const call = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers: { Connection: 'close', ...headers } })

describe.skipIf(!findPostgres() || process.platform !== 'linux')('two processes at one port', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  let database: Client
  let env: Record<string, string>

  beforeAll(async () => {
    postgres = await startPostgres()
    database = new Client({ connectionString: postgres.url('postgres') })
    await database.connect()
    env = {
      DATABASE_URL: postgres.url('postgres'),
      SERVER_SECRET: 'x'.repeat(32),
      ROLE: 'web',
      WEB_PROCESSES: '2',
      LOG_LEVEL: 'info',
      SHARED_ANSWERS_MS: '0',
    }
  }, LONG)
  afterAll(async () => {
    await database.end()
    await postgres.stop()
  })

  async function start(more: Record<string, string> = {}): Promise<Program> {
    const program = await startProgram({ env: { ...env, ...more } })
    onTestFinished(() => program.kill())
    return program
  }

  /** Reads a stream of events until it has `count` tweets. */
  async function readTweets(url: string, count: number): Promise<string[]> {
    const ending = new AbortController()
    const answer = await fetch(url, { headers: { Connection: 'close' }, signal: ending.signal })
    const found: string[] = []
    let text = ''
    for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const said = /"content":"(tweet \d+)"/.exec(line)?.[1]
        if (said !== undefined) found.push(said)
      }
      if (found.length >= count) break
    }
    ending.abort()
    return found.sort()
  }

  test(
    'share limits, metrics, what they know of keys, and one order of events',
    async () => {
      const program = await start({ RATE_LIMIT_READS: '40', STREAMS_PER_CALLER: '5' })
      expect([...findChildren(program).keys()].sort()).toEqual(['web-1', 'web-2'])
      const ann = await registerAgent(program.url, { username: 'ann' })
      await verifyAgent(ann, 'ann_x')
      const { apiKey, client } = ann

      const streams = Array.from({ length: 4 }, () => readTweets(`${program.url}/v1/events?topics=agent:ann`, 4))
      const countStreams = async () => {
        const metrics = await (await call(`${program.url}/metrics`)).text()
        return [...metrics.matchAll(/^rookery_streams_open\{process="web-\d"\} (\d+)$/gm)].map(([, open]) =>
          Number(open),
        )
      }
      await expect.poll(async () => (await countStreams()).reduce((sum, open) => sum + open, 0), SOON).toBe(4)
      expect(await countStreams()).toHaveLength(2)
      const more = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const answer = await call(`${program.url}/v1/events?topics=agent:ann`)
          void answer.body?.cancel()
          return answer.status
        }),
      )
      expect(more.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1)
      for (let index = 0; index < 4; index++) {
        const body = JSON.stringify({ content: `tweet ${index}` })
        const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', Connection: 'close' }
        expect((await fetch(`${program.url}/v1/tweets`, { method: 'POST', headers, body })).status).toBe(201)
      }
      for (const tweets of await Promise.all(streams))
        expect(tweets).toEqual(['tweet 0', 'tweet 1', 'tweet 2', 'tweet 3'])
      const { rows } = await database.query('select ordered_by::text from event_log')
      expect(rows[0].ordered_by).not.toBeNull()

      const { apiKey: key } = await client.regenerateKey()
      const me = (apiKey: string) =>
        call(`${program.url}/v1/agents/me`, { 'X-API-Key': apiKey }).then((answer) => answer.status)
      const together = (apiKey: string, count: number) => Promise.all(Array.from({ length: count }, () => me(apiKey)))
      expect(new Set(await together(apiKey, 10))).toEqual(new Set([401]))
      await registerAgent(program.url, { username: 'ben' }).then(async (ben) => {
        const statuses = await together(ben.apiKey, 80)
        expect(statuses.filter((status) => status === 200)).toHaveLength(40)
      })
      expect(key).not.toBe(apiKey)
      expect(await program.stop()).toBe(0)
    },
    LONG,
  )

  test(
    'one that is killed is replaced, and SIGHUP replaces all without a refused call',
    async () => {
      const program = await start()
      const before = findChildren(program)
      process.kill(before.get('web-1') ?? 0, 'SIGKILL')
      await expect
        .poll(
          () =>
            program
              .output()
              .split('\n')
              .filter((line) => line.includes('this process is ready')).length,
          SOON,
        )
        .toBe(3)
      const after = findChildren(program)
      expect(after.get('web-2')).toBe(before.get('web-2'))
      expect(after.get('web-1')).not.toBe(before.get('web-1'))

      const failed: unknown[] = []
      let answered = 0
      let isOver = false
      async function load(headers: Record<string, string>): Promise<void> {
        while (!isOver) {
          const status = await fetch(`${program.url}/v1/config`, { headers }).then(
            async (answer) => {
              await answer.arrayBuffer()
              return answer.status
            },
            (error: Error) => `${error.message} ${error.cause}`,
          )
          if (status === 200) answered++
          else failed.push(status)
        }
      }
      const loads = [{}, {}, { Connection: 'close' }, { Connection: 'close' }].map(load)
      process.kill(program.pid, 'SIGHUP')
      await expect.poll(() => program.output(), SOON).toContain('every process was replaced')
      isOver = true
      await Promise.all(loads)
      expect(failed).toEqual([])
      expect(answered).toBeGreaterThan(0)
      const last = findChildren(program)
      for (const name of ['web-1', 'web-2']) expect(last.get(name)).not.toBe(after.get(name))
      expect(await program.stop()).toBe(0)
    },
    LONG,
  )

  test('are refused with the embedded database', async () => {
    await expect(startProgram({ env: { WEB_PROCESSES: '2' } })).rejects.toThrow(
      'WEB_PROCESSES must be 1 with the embedded database',
    )
  })
})
