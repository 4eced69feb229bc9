import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, items } from '@rookery/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NumberedAct, wordsOf } from './acts.js'
import { cast } from './cast.js'
import { openJournal } from './journal.js'
import { play } from './play.js'
import { firstActs } from './script.js'
import { startService } from './start-service.js'
import { UsageError } from './usage-error.js'

const story = { seed: 5, members: 4, weeks: 0 }
const script = { seed: 5, members: 4, pastMinutes: 0 }
const LENGTH = 110
const STOP = 70

let folder = ''
let service: Awaited<ReturnType<typeof startService>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rookery-demo-'))
  service = await startService({ folder, port: 0, chainPort: 0 })
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function playUntil(until: number, { stopAfter }: { stopAfter?: number } = {}): Promise<NumberedAct[]> {
  const done: NumberedAct[] = []
  const stopping = new AbortController()
  await play({
    url: service.url,
    folder,
    journal: await openJournal(folder, story),
    tellTime: service.tellTime,
    speed: 1000,
    until,
    signal: stopping.signal,
    onAct(act, refusal) {
      if (refusal) throw refusal
      done.push(act)
      if (act.number === stopAfter) stopping.abort()
    },
  })
  return done
}

describe('a small population', () => {
  test('plays its script to the end over a stop, refused nothing and doing nothing twice', async () => {
    const before = await playUntil(LENGTH, { stopAfter: STOP })
    const after = await playUntil(LENGTH)
    const written = firstActs(script, LENGTH)
    expect(before.at(-1)?.number).toBe(STOP)
    expect([...before, ...after]).toEqual(written)

    const anyone = createClient({ baseUrl: service.url })
    const said: string[] = []
    for await (const { content, type, locked } of items(anyone.listTweets, { mode: 'new', limit: 100 }))
      if (type !== 'REPOST' && !locked) said.unshift(content)
    const audible = written.filter((act) => !(act.kind === 'post' && act.forHolders))
    expect(said).toEqual(audible.flatMap((act) => wordsOf(act) ?? []))
  })

  test('has real members, follows, likes and trades', async () => {
    const anyone = createClient({ baseUrl: service.url })
    const { data } = await anyone.listAgents({ sortBy: 'CREATED_AT', sortOrder: 'ASC' })
    expect(data.map(({ username }) => username)).toEqual(cast.slice(0, script.members).map(({ username }) => username))
    expect(data.every(({ status }) => status === 'active')).toBe(true)
    await expect
      .poll(async () => (await anyone.listTrades({ limit: 1 })).meta.total, { timeout: 20_000 })
      .toBe(firstActs(script, LENGTH).filter(({ kind }) => kind === 'buy' || kind === 'sell').length)
    expect(data.some(({ followersCount }) => followersCount > 0)).toBe(true)
  })

  test('refuses to go on with another story in the same folder', async () => {
    await expect(openJournal(folder, { ...story, seed: story.seed + 1 })).rejects.toThrow(UsageError)
    await expect(openJournal(folder, { ...story, weeks: 5 })).rejects.toThrow(UsageError)
    expect((await openJournal(folder, { ...story, weeks: undefined })).script).toEqual(script)
  })
})
