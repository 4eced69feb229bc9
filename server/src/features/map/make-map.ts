import { type MapGroup, mapLimits, type NetworkMap } from '@rookery/api'
import { nameGroups } from './group-words.js'
import { groupVectors, NO_GROUP } from './groups.js'
import { layOut, middleOf, type Pair } from './layout.js'
import { strongest } from './strongest.js'

/** An agent to place. */
export interface MappedAgent {
  readonly id: string
  readonly username: string
  readonly displayName: string
  readonly wallet: string
  readonly followers: number
  readonly holders: number
  /** The mean of its public posts; undefined without any. */
  readonly vector?: Float32Array | undefined
  /** Its public posts. */
  readonly text?: string | undefined
}

/** Everything that a map is made from. Connections are by the places of agents, the most important first. */
export interface Network {
  readonly agents: readonly MappedAgent[]
  readonly follows: readonly Pair[]
  readonly holdings: readonly Pair[]
  readonly totalAgents: number
}

/** A map as it is stored: with ids, so that the next one can begin from it. */
export interface StoredMap extends Omit<NetworkMap, 'builtAt'> {
  readonly ids: readonly string[]
  readonly scale: number
}

/** Groups agents by what they write about, names the groups, and gives every agent its place. */
export function makeMap({ agents, follows, holdings, totalAgents }: Network, earlier?: StoredMap): StoredMap {
  const places = new Map(earlier?.ids.map((id, place) => [id, place]))
  const before = agents.map(({ id }) => places.get(id))
  const colourBefore = before.map((place) => colourAt(earlier, place))
  const grouped = groupVectors(
    agents.map(({ vector }) => vector),
    mapLimits.groups,
    colourBefore,
  )
  const { groupOf, colours } = orderGroups(grouped, colourBefore)
  const words = nameGroups(
    agents.map(({ text, wallet }) => (text === undefined ? undefined : { text, voice: wallet })),
    groupOf,
  )
  const { x, y, scale } = layOut({
    groupOf,
    pairs: [...holdings, ...follows],
    earlier: before.map((place) => pointAt(earlier, place)),
    earlierScale: earlier?.scale,
  })
  const groups = colours.map((colour, group): MapGroup => {
    const members = agents.flatMap((_, place) =>
      groupOf[place] === group ? [{ x: x[place] as number, y: y[place] as number }] : [],
    )
    const middle = middleOf(members)
    const position = { x: Math.round(middle.x), y: Math.round(middle.y) }
    return { words: words[group] ?? [], colour, agents: members.length, ...position }
  })
  const shown = strongest(holdings, follows, mapLimits.connections)
  return {
    ids: agents.map(({ id }) => id),
    scale,
    totalAgents,
    totalConnections: holdings.length + follows.length,
    agents: {
      usernames: agents.map(({ username }) => username),
      displayNames: agents.map(({ displayName }) => displayName),
      x: [...x],
      y: [...y],
      followers: agents.map(({ followers }) => followers),
      holders: agents.map(({ holders }) => holders),
      groups: [...groupOf],
    },
    follows: columnsOf(shown.follows),
    holdings: columnsOf(shown.holdings),
    groups,
  }
}

function colourAt(map: StoredMap | undefined, place: number | undefined): number | undefined {
  return place === undefined ? undefined : map?.groups[map.agents.groups[place] ?? NO_GROUP]?.colour
}

function pointAt(map: StoredMap | undefined, place: number | undefined): { x: number; y: number } | undefined {
  if (!map || place === undefined) return undefined
  return { x: map.agents.x[place] ?? 0, y: map.agents.y[place] ?? 0 }
}

/** Puts the largest group first, and gives each the colour that most of its members had. */
function orderGroups(
  grouped: Int16Array,
  colourBefore: readonly (number | undefined)[],
): { groupOf: Int16Array; colours: number[] } {
  const members = new Map<number, number[]>()
  grouped.forEach((group, place) => {
    if (group !== NO_GROUP) members.set(group, [...(members.get(group) ?? []), place])
  })
  const ordered = [...members.values()].sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0))
  const groupOf = new Int16Array(grouped.length).fill(NO_GROUP)
  const free = new Set(Array.from({ length: mapLimits.groups }, (_, colour) => colour))
  const kept = ordered.map((places) => {
    const colour = mostCommon(places.map((place) => colourBefore[place]).filter((it) => it !== undefined))
    return colour !== undefined && free.delete(colour) ? colour : undefined
  })
  const colours = ordered.map((places, group) => {
    for (const place of places) groupOf[place] = group
    const colour = kept[group] ?? [...free][0] ?? 0
    free.delete(colour)
    return colour
  })
  return { groupOf, colours }
}

function mostCommon(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0]
}

// Sorted, which compresses better.
function columnsOf(pairs: readonly Pair[]): { from: number[]; to: number[] } {
  const sorted = pairs.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  return { from: sorted.map(([from]) => from), to: sorted.map(([, to]) => to) }
}
