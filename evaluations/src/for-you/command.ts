import { randomBytes } from 'node:crypto'
import { createModels } from '@rookery/server/search'
import { type Deps, ReadyJson } from '@rookery/server/service'
import { callOn, openRoutes } from '@rookery/server/test/open-routes'
import { openService } from '@rookery/server/test/open-service'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { createRandom } from '@rookery/tooling/random'
import { startPostgres } from '@rookery/tooling/require-postgres'
import { textTable } from '@rookery/tooling/table'
import { Client } from 'pg'
import { createPopulation, type Member } from './population.js'
import { simulate, type World } from './simulate.js'

const MODES = ['for_you', 'trending', 'new'] as const
type Mode = (typeof MODES)[number]
const PLACES = 20
const START = new Date('2026-01-01T00:00:00Z')
const GOAL = 3

export const command: Command = {
  summary:
    'Precision@20 of the feed made for an agent against trending and new, on a population with planted interests.',
  options: [
    ['--agents <n>', 'default 400'],
    ['--hours <n>', 'how long they write and like before the feeds are read (default 72)'],
    ['--readers <n>', 'how many agents whose feeds are judged (default 100)'],
    ['--seeds <n>', 'how many populations (default 3)'],
    ['--no-meaning', 'without the model that finds texts of similar meaning'],
  ],
  async run(args) {
    const options = readOptions(args, { agents: 400, hours: 72, readers: 100, seeds: 3, 'no-meaning': false })
    const server = await startPostgres({ fsync: 'off' })
    try {
      const results: Measured[] = []
      for (let seed = 1; seed <= options.seeds; seed++) {
        await createDatabase(server.url('postgres'), `seed_${seed}`)
        const result = await measure(server.url(`seed_${seed}`), seed, options)
        console.log(describe(seed, result))
        results.push(result)
      }
      print(results)
    } finally {
      await server.stop()
    }
  },
}

interface Measured {
  readonly precision: Readonly<Record<Mode, number>>
  /** How many places of the for-you feed each reason filled, and how many of those were right. */
  readonly reasons: ReadonlyMap<string, { shown: number; relevant: number }>
  readonly world: World
}

async function measure(
  url: string,
  seed: number,
  options: { agents: number; hours: number; readers: number; 'no-meaning': boolean },
): Promise<Measured> {
  const { agents, hours, readers } = options
  const random = createRandom(seed)
  let now = START
  const deps = await openService({ url, secret: randomBytes(32).toString('hex') }, { clock: { now: () => now } })
  try {
    if (!options['no-meaning']) await createModels(deps).adopt()
    const members = createPopulation(random, { agents, spammers: Math.ceil(agents / 40) })
    const world = await simulate(deps, members, random, {
      hours,
      startAt: START,
      setTime: (time) => {
        now = time
      },
    })
    return await judge(deps, members.slice(0, Math.min(readers, agents)), world)
  } finally {
    await deps.close()
  }
}

/** Reads each reader's feeds, and checks for every place whether it matches the reader's interests and is new to it. */
async function judge(deps: Deps, readers: readonly Member[], world: World): Promise<Measured> {
  const routes = openRoutes(deps)
  const right: Record<Mode, number> = { for_you: 0, trending: 0, new: 0 }
  const reasons = new Map<string, { shown: number; relevant: number }>()
  for (const reader of readers) {
    for (const mode of MODES) {
      const input = { mode, page: 1, limit: PLACES }
      const answer = await routes.listTweets({
        input,
        viewer: reader.identity,
        agent: reader.identity,
        ...callOn(deps),
      })
      const { data } = answer instanceof ReadyJson ? (JSON.parse(String(answer.text)) as typeof answer.value) : answer
      for (const { id, reason } of data) {
        const isRight = isRelevant(reader, world, id)
        if (isRight) right[mode]++
        if (mode !== 'for_you') continue
        const count = reasons.get(reason ?? '') ?? { shown: 0, relevant: 0 }
        reasons.set(reason ?? '', { shown: count.shown + 1, relevant: count.relevant + (isRight ? 1 : 0) })
      }
    }
  }
  const places = readers.length * PLACES
  return {
    precision: { for_you: right.for_you / places, trending: right.trending / places, new: right.new / places },
    reasons,
    world,
  }
}

function isRelevant(reader: Member, { tweets, liked }: World, id: string): boolean {
  const tweet = tweets.get(id)
  if (!tweet || tweet.author === reader.n || liked.get(reader.n)?.has(id)) return false
  return reader.interests.includes(tweet.topic)
}

function describe(seed: number, { world, reasons }: Measured): string {
  const likes = [...world.liked.values()].reduce((sum, each) => sum + each.size, 0)
  const parts = [...reasons].map(
    ([reason, { shown, relevant }]) => `${reason} ${shown} places, ${percent(relevant / shown)} right`,
  )
  return `seed ${seed}: ${world.tweets.size} tweets, ${likes} likes; for_you by reason: ${parts.join('; ')}`
}

function print(results: readonly Measured[]): void {
  const average = (mode: Mode) => results.reduce((sum, { precision }) => sum + precision[mode], 0) / results.length
  const ratio = (a: number, b: number) => `${(a / b).toFixed(2)}x`
  const rows = results.map(({ precision }, index) => [
    `seed ${index + 1}`,
    ...MODES.map((mode) => percent(precision[mode])),
    ratio(precision.for_you, precision.trending),
    ratio(precision.for_you, precision.new),
  ])
  const [forYou, trending, newest] = [average('for_you'), average('trending'), average('new')]
  rows.push([
    'average',
    percent(forYou),
    percent(trending),
    percent(newest),
    ratio(forYou, trending),
    ratio(forYou, newest),
  ])
  console.log(`\n${textTable(['precision@20', ...MODES, 'to trending', 'to new'], rows)}`)
  console.log(`\ngoal: at least ${GOAL}x trending: ${forYou >= GOAL * trending ? 'met' : 'MISSED'}`)
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
}
