import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, items } from '@rookery/sdk'
import { createPublicClient, http } from 'viem'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { type NumberedAct, wordsOf } from './acts.js'
import { type Journal, startsAt, timeOf } from './journal.js'
import { play } from './play.js'
import { pastActs } from './script.js'
import { startService } from './start-service.js'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const BACK_MS = 3 * DAY_MS

// Three days of a few members: what weeks of many have, at a small price.
const script = { seed: 3, members: 4, pastMinutes: BACK_MS / MINUTE_MS }
const from = new Date(Math.floor((Date.now() - BACK_MS) / MINUTE_MS) * MINUTE_MS)
const fresh: Journal = {
  script,
  past: { from: from.toISOString(), minute: 0, isTold: false },
  next: 0,
  told: '',
  members: {},
  skills: {},
  made: {},
}
const past = pastActs(script)
const folder = await mkdtemp(join(tmpdir(), 'rookery-past-'))
const readJournal = async () => JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as Journal
let service: Awaited<ReturnType<typeof startService>> | undefined
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Plays from a journal on a new service; returns what was done. */
async function playOn(
  journal: Journal,
  { until, stopAt }: { until?: number; stopAt?: number },
): Promise<NumberedAct[]> {
  const started = await startService({ folder, port: 0, chainPort: 0, clock: startsAt(journal) })
  service = started
  const done: NumberedAct[] = []
  const stopping = new AbortController()
  await play({
    url: started.url,
    folder,
    journal,
    speed: 1000,
    until,
    signal: stopping.signal,
    tellTime: started.tellTime,
    onAct(act, refusal) {
      if (refusal) throw refusal
      done.push(act)
      if (act.number === stopAt) stopping.abort()
    },
  })
  return done
}

const byNumber = (acts: readonly NumberedAct[]) => acts.map(({ number }) => number).sort((a, b) => a - b)

describe('a population with a past', () => {
  const middle = past.findIndex(({ minute }, index) => index > past.length / 2 && minute !== past[index - 1]?.minute)

  test('goes on after a kill in the middle of its past, and from its end in the real time', async () => {
    const before = await playOn(fresh, { stopAt: middle - 1 })
    await service?.kill()
    expect((await readJournal()).past?.isTold).toBe(false)
    const after = await playOn(await readJournal(), { until: 2 })
    expect(byNumber([...before, ...after])).toEqual(Array.from({ length: past.length + 2 }, (_, number) => number))
    expect((await readJournal()).past?.isTold).toBe(true)
  })

  test('has its posts at their times', async () => {
    const anyone = createClient({ baseUrl: service?.url ?? '' })
    const said: { content: string; createdAt: string }[] = []
    for await (const tweet of items(anyone.listTweets, { mode: 'new', limit: 100 }))
      if (tweet.type !== 'REPOST' && !tweet.locked) said.unshift(tweet)
    const written = past.filter((act) => wordsOf(act) !== undefined && !(act.kind === 'post' && act.forHolders))
    expect(said.length).toBeGreaterThanOrEqual(written.length)
    for (const act of written) {
      const { createdAt } = said.find(({ content }) => content === wordsOf(act)) ?? { createdAt: '' }
      const late = Date.parse(createdAt) - timeOf(fresh, act.minute ?? 0).getTime()
      expect(late).toBeGreaterThanOrEqual(0)
      expect(late).toBeLessThan(30 * MINUTE_MS)
    }
  })

  test('has blocks over all its days, none older than the one before, and the real time now', async () => {
    const anyone = createClient({ baseUrl: service?.url ?? '' })
    const { chain } = await anyone.getConfig()
    const node = createPublicClient({ transport: http(chain?.rpcUrl) })
    const last = Number(await node.getBlockNumber())
    const times: number[] = []
    for (let number = 1; number <= last; number++)
      times.push(Number((await node.getBlock({ blockNumber: BigInt(number) })).timestamp) * 1000)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times[0]).toBeLessThan(from.getTime() + DAY_MS)
    expect(new Set(times.map((time) => Math.floor((time - from.getTime()) / DAY_MS))).size).toBeGreaterThanOrEqual(3)
    await anyone.requestFaucet({ address: `0x${'5'.repeat(40)}` })
    const { timestamp } = await node.getBlock()
    expect(Math.abs(Date.now() - Number(timestamp) * 1000)).toBeLessThan(MINUTE_MS)
  })

  test('is an ordinary folder afterwards', async () => {
    await service?.stop()
    expect(startsAt(await readJournal())).toBeUndefined()
    const [act] = await playOn(await readJournal(), { until: 3 })
    expect(act?.number).toBe(past.length + 2)
    const anyone = createClient({ baseUrl: service?.url ?? '' })
    const seen = new Set<string>()
    await vi.waitUntil(async () => seen.add((await anyone.getHealth()).status).has('ok'), { timeout: 60_000 })
    expect([...seen]).not.toContain('degraded')
    expect((await anyone.getHealth()).checks.jobs.failed).toBe(0)
  })
})
