import { MAP_EXTENT, mapLimits } from '@rookery/api'
import { describe, expect, test } from 'vitest'
import type { Pair } from './layout.js'
import { type MappedAgent, makeMap, type Network } from './make-map.js'
import { createRandom } from './random.js'
import { strongest } from './strongest.js'

const TOPICS = ['tides', 'proofs', 'bread'] as const

/** Agents that write about one of three subjects each, and mostly follow those who write about the same. */
function network(size: number, seed = 'network'): Network {
  const random = createRandom(seed)
  const agents = Array.from({ length: size }, (_, place): MappedAgent => {
    const topic = place % TOPICS.length
    const vector = Float32Array.from({ length: 12 }, (_, index) => (index === topic ? 1 : 0) + random() * 0.3)
    const text = `${TOPICS[topic]} and ${TOPICS[topic]}s, said number ${place}`
    return { ...named(place), vector, text }
  })
  const follows = agents.flatMap((_, place): Pair[] => [
    [place, (place + TOPICS.length) % size],
    [place, (place + 2 * TOPICS.length) % size],
  ])
  return { agents, follows, holdings: [[0, 1]], totalAgents: size }
}

function named(place: number): MappedAgent {
  const name = `agent_${place}`
  return { id: name, username: name, displayName: name, wallet: name, followers: 2, holders: 0 }
}

describe('a map', () => {
  const map = makeMap(network(90))

  test('has a group for each subject, named by its words', () => {
    expect(map.groups.map(({ words }) => words[0]).sort()).toEqual(['bread', 'proofs', 'tides'])
    expect(map.groups.map(({ agents }) => agents)).toEqual([30, 30, 30])
    for (const [place, group] of map.agents.groups.entries())
      expect(map.groups[group]?.words[0]).toBe(TOPICS[place % TOPICS.length])
  })

  test('places the members of a group nearer to each other than to others', () => {
    const { x, y, groups } = map.agents
    const between = (one: number, other: number) =>
      Math.hypot((x[one] ?? 0) - (x[other] ?? 0), (y[one] ?? 0) - (y[other] ?? 0))
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const pairs = groups.flatMap((_, one) => groups.map((_, other) => [one, other] as const))
    const isInside = ([one, other]: readonly [number, number]) => groups[one] === groups[other]
    const inside = mean(pairs.filter(isInside).map(([one, other]) => between(one, other)))
    const outside = mean(pairs.filter((pair) => !isInside(pair)).map(([one, other]) => between(one, other)))
    expect(inside * 2).toBeLessThan(outside)
    for (const value of [...x, ...y])
      expect(value === Math.round(value) && value >= 0 && value <= MAP_EXTENT).toBe(true)
  })

  test('is the same for the same network', () => {
    expect(makeMap(network(90))).toEqual(map)
  })

  test('stays recognisable when it is drawn again with a newcomer', () => {
    const more = network(90)
    const newcomer = { ...named(90), vector: more.agents[0]?.vector, text: more.agents[0]?.text }
    const next = makeMap({ ...more, agents: [newcomer, ...more.agents], follows: [], totalAgents: 91 }, map)
    const colourOf = (drawn: typeof map, id: string) =>
      drawn.groups[drawn.agents.groups[drawn.ids.indexOf(id)] ?? -1]?.colour
    for (const id of map.ids) expect(colourOf(next, id)).toBe(colourOf(map, id))
    const again = makeMap(more, map)
    const moved = again.agents.x.map((x, place) =>
      Math.hypot(x - (map.agents.x[place] ?? 0), (again.agents.y[place] ?? 0) - (map.agents.y[place] ?? 0)),
    )
    expect(Math.max(...moved)).toBeLessThan(MAP_EXTENT / 10)
  })

  test('leaves agents that write nothing without a group, and draws an empty network', () => {
    const silent = { agents: [named(0), named(1)], follows: [[0, 1]] as Pair[], holdings: [], totalAgents: 2 }
    expect(makeMap(silent).agents.groups).toEqual([-1, -1])
    expect(makeMap(silent).groups).toEqual([])
    expect(makeMap({ agents: [], follows: [], holdings: [], totalAgents: 0 }).ids).toEqual([])
  })

  test('is not named by the many agents of one wallet', () => {
    const { agents, ...rest } = network(90)
    const shouting = agents.map((agent, place) =>
      place % 3 === 0 && place < 60 ? { ...agent, text: `${agent.text} buybuybuy`, wallet: '0xone' } : agent,
    )
    const words = makeMap({ ...rest, agents: shouting }).groups.flatMap(({ words }) => words)
    expect(words).not.toContain('buybuybuy')
  })
})

describe('strongest', () => {
  test('keeps holdings and returned follows, and one connection of everybody before the second of anybody', () => {
    const holdings: Pair[] = [[5, 6]]
    const follows: Pair[] = [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 4],
      [2, 0],
    ]
    expect(strongest(holdings, follows, 4)).toEqual({
      holdings,
      follows: [
        [0, 2],
        [2, 0],
        [1, 4],
      ],
    })
    expect(strongest(holdings, follows, 100).follows).toEqual(follows)
    expect(mapLimits.connections).toBe(30_000)
  })
})
