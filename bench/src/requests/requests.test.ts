import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../load/start-generator.js'
import { barChart } from '../output/bar-chart.js'
import { Forecast } from './forecast.js'
import type { Measured, Run } from './measure.js'
import { grow, readRequestOptions } from './options.js'
import { freePairs } from './pairs.js'
import { backlogLines, chartOf, type Report, ratioOf, tableOf } from './report.js'
import { scriptOf } from './script.js'
import { workloads } from './workloads.js'

describe('the options', () => {
  test('have defaults', () => {
    const { connections, chosen, sizes } = readRequestOptions([])
    expect([connections, chosen.length, sizes.likes]).toEqual([[1, 16, 64], workloads.length, 30_000])
  })

  test('choose comma-separated requests and connections', () => {
    const { connections, chosen } = readRequestOptions(['--connections', '8,2,8', '--only', 'like, follow'])
    expect([connections, chosen.map(({ name }) => name)]).toEqual([
      [8, 2],
      ['like', 'follow'],
    ])
  })

  test('make a larger set in proportion', () => {
    const { sizes, growth } = readRequestOptions(['--growth', '1200000'])
    expect(grow(sizes, growth)).toEqual({ agents: 100_000, tweets: 1_200_000, follows: 2e6, likes: 3e6, seed: 1 })
  })

  test('refuse invalid values', () => {
    for (const [args, message] of [
      [['--connections', '1,many'], 'whole numbers'],
      [['--connections', '0'], 'whole numbers'],
      [['--only', 'nothing like it'], 'No request is called'],
      [['--beside', '--against', '..'], 'not several'],
      [['--growth', '1000000', '--against', '..'], 'not several'],
      [['--rounds', '0'], 'at least 1'],
    ] as const)
      expect(() => readRequestOptions(args)).toThrow(message)
  })
})

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`)

describe('the workloads', () => {
  const data = {
    keys: ids('key', 10),
    agentIds: ids('agent', 10),
    tweetIds: ids('tweet', 30),
    launchedIds: ids('agent', 3),
    likes: ['0:0', '3:7'],
    follows: ['1:2', '2:1', '9:0'],
    reposts: ['4:4'],
  }

  test('connect each free pair once, and none that is already connected', () => {
    const pairs = ([0, 1] as const).flatMap((turn) =>
      [...freePairs(10, 10, new Set(data.follows), { turn, isAmongThemselves: true })].map(([a, b]) => `${a}:${b}`),
    )
    expect(new Set(pairs).size).toBe(100 - 10 - 3)
    expect(pairs).toHaveLength(87)
    expect(pairs.filter((pair) => data.follows.includes(pair))).toEqual([])
  })

  const called = (name: string) => workloads.find((workload) => workload.name === name)
  const text = ({ method, apiKey, path }: HttpRequest) => `${apiKey} ${method} ${path}`

  test('continue where the previous round ended, and undo what is made when no pair is free', () => {
    const likes = (from: number, count: number) => called('like')?.requests(data, from, count).map(text) ?? []
    const all = likes(0, 149)
    expect(new Set(all).size).toBe(149)
    expect(all).not.toContain('key3 POST /v1/tweets/tweet7/like')
    expect(likes(100, 49)).toEqual(all.slice(100))
    const undone = all.map((one) => one.replace('POST', 'DELETE'))
    expect(likes(140, 320)).toEqual([...all.slice(140), ...undone, ...all, ...undone.slice(0, 13)])
  })

  test('write texts so different that none counts as a repetition', () => {
    const requests = ['create tweet', 'mixed'].flatMap((name) => called(name)?.requests(data, 0, 300) ?? [])
    const texts = requests.flatMap(({ body }) =>
      body && 'content' in body && body.content ? [String(body.content)] : [],
    )
    expect(texts.length).toBeGreaterThan(310)
    for (const [place, one] of texts.entries()) {
      const words = new Set(one.split(' '))
      const most = Math.max(
        ...texts.slice(0, place).map((other) => other.split(' ').filter((it) => words.has(it)).length),
        0,
      )
      expect(most).toBeLessThan(7)
    }
  })

  test('mix reads, writes and heartbeats by their weights, and go on where they stopped', () => {
    const mixed = (from: number, count: number) => called('mixed')?.requests(data, from, count) ?? []
    const all = mixed(0, 1050)
    const part = (is: (request: HttpRequest) => boolean) => all.filter(is).length / 10
    expect([part(({ path }) => path === '/HEARTBEAT.md'), part(({ method }) => method !== 'GET')]).toEqual([5, 30])
    expect(
      new Set(all.filter(({ method }) => method !== 'GET').map((one) => text(one) + JSON.stringify(one.body))).size,
    ).toBe(300)
    expect([...mixed(0, 333), ...mixed(333, 717)]).toEqual(all)
  })

  test('leave the pairs of each other alone', () => {
    const [alone, mixed] = ['like', 'mixed'].map((name) => called(name)?.requests(data, 0, 149).map(text) ?? [])
    expect(mixed?.filter((one) => one.endsWith('/like')).length).toBeGreaterThan(10)
    expect(mixed?.filter((one) => alone?.includes(one))).toEqual([])
  })

  test('search anew for something else each time, and again for eight words', () => {
    const paths = (wanted: string, from: number) =>
      workloads
        .find(({ name }) => name === wanted)
        ?.requests(data, from, 5_000)
        .map(({ path }) => path) ?? []
    expect(new Set([...paths('search anew', 0), ...paths('search anew', 5_000)]).size).toBe(10_000)
    expect(new Set(paths('search again', 0)).size).toBe(8)
  })
})

const run = (perSecond: number): Run => ({
  perSecond,
  p50: 1,
  p99: 2,
  programCpu: 300,
  databaseCpu: 100,
  clientCpu: 20,
  elsewherePercent: 3,
})
const measured: Measured = {
  workload: 'me <&>',
  connections: 16,
  runs: { here: [run(200), run(300), run(90)], there: [run(100), run(100), run(100)] },
  idlePercent: 1.25,
  isQuiet: true,
}
const report: Report = { engine: 'postgres', targets: ['here', 'there'], measured: [measured], backlogs: [] }

describe('the forecast', () => {
  test('expects of the rest what the first took beyond its plan', () => {
    let now = 0
    const three = workloads.slice(0, 3)
    const forecast = new Forecast(three, { seconds: 2, rounds: 3, connections: [1, 16] }, 2, () => now)
    const [first, second] = three
    if (!first || !second) throw new Error('There are no workloads')
    expect(forecast.begin(first)).toBe('[1/3] newest 20, anonymous … about 2 min to go')
    now = 76_000
    expect(forecast.begin(second)).toBe('[2/3] newest 20 … about 3 min to go')
  })
})

describe('the report', () => {
  test('has the median of the ratios of each round', () => {
    expect(ratioOf(measured.runs.here, measured.runs.there)).toBe(2)
    const { heading, rows } = tableOf(report)
    expect(rows[0]?.[heading.indexOf('ratio')]).toBe('2.00x')
    expect(rows[0]).toHaveLength(heading.length)
  })

  test('has the CPU time of the database only if it is a separate program', () => {
    const alone = { ...report, targets: ['here'] }
    expect(tableOf(alone).heading).toContain('database us')
    const embedded = tableOf({ ...alone, engine: 'embedded' })
    expect(embedded.heading).not.toContain('database us')
    expect(embedded.rows[0]).toHaveLength(embedded.heading.length)
  })

  test('says that the background was busy', () => {
    const { rows } = tableOf({ ...report, measured: [{ ...measured, isQuiet: false }] })
    expect(rows[0]?.at(-2)).toMatch(/^1\.[23] \(busy\)$/)
  })

  test('says how long the background work took after writing tweets, with the most connections', () => {
    const backlog = {
      workload: 'mixed',
      target: 'here',
      connections: 1,
      written: 9,
      writingSeconds: 1,
      jobs: 9,
      seconds: 9,
    }
    const many = {
      workload: 'mixed',
      target: 'here',
      connections: 64,
      written: 600,
      writingSeconds: 2,
      jobs: 400,
      seconds: 4,
    }
    expect(backlogLines([backlog, many])).toEqual([
      expect.stringMatching(/64 connections: 600 requests.* 100 requests a/),
    ])
    expect(backlogLines([])).toEqual([])
  })

  test('is drawn without a script, with names escaped', () => {
    const svg = chartOf(report)
    expect(svg).toContain('me &lt;&amp;&gt;')
    expect(svg).toContain('2.00x')
    expect(svg).not.toMatch(/<script|href|onload/)
  })

  test('leaves out a bar without a value', () => {
    const groups = [{ name: 'a', values: [1, Number.NaN] }]
    const svg = barChart({ title: 't', series: ['x', 'y'], groups, show: String })
    expect(svg.match(/<rect class="s\d" x="\d+" y="\d+" width="460.0"/g)).toHaveLength(1)
  })
})

describe('the script for pgbench', () => {
  const known = '00000000-0000-4000-8000-000000000001'
  const made = '00000000-0000-4000-8000-000000000002'

  test('keeps known ids and generates the others, in one transaction', () => {
    const statements = [
      { text: 'insert into tweet values ($1, $2)', values: [made, known] },
      { text: 'update tweet set parent_id = $1\n  where id = $2', values: [null, made] },
    ]
    expect(scriptOf(statements, new Set([known]))).toEqual({
      script: [
        'select gen_random_uuid() as id0 \\gset',
        'begin;',
        'insert into tweet values (:id0, :v0_1);',
        'update tweet set parent_id = null where id = :id0;',
        'commit;',
      ].join('\n'),
      variables: { v0_1: known },
    })
  })
})
