import type { NetworkMap } from '@rookery/sdk'
import Graph from 'graphology'
import { type ConnectionKind, groupName, keyOf, type LiveConnection } from './network.js'

/** What the drawing knows of an agent. */
export interface NodeFacts {
  x: number
  y: number
  size: number
  label: string
  /** Place in the groups; -1 without one. */
  group: number
  /** The colour of its group; -1 without one. */
  colour: number
  /** Until when something that just happened to it shows. */
  isNews?: boolean
}

/** What the drawing knows of a connection. */
export interface EdgeFacts {
  kind: ConnectionKind
  isNews?: boolean
}

export type MapGraph = Graph<NodeFacts, EdgeFacts>

/** A group's name and where to write it. */
export interface Region {
  readonly name: string
  readonly colour: number
  readonly group: number
  readonly x: number
  readonly y: number
}

/** Makes the graph of a map, with usernames as keys. */
export function createGraph(map: NetworkMap): MapGraph {
  const graph: MapGraph = new Graph<NodeFacts, EdgeFacts>({ type: 'directed', multi: true })
  const { usernames, displayNames, x, y, followers, holders, groups } = map.agents
  const most = followers.reduce((most, count, place) => Math.max(most, count + (holders[place] ?? 0)), 1)
  const [small, large] = sizesFor(usernames.length)
  usernames.forEach((username, place) => {
    const weight = Math.sqrt(((followers[place] ?? 0) + (holders[place] ?? 0)) / most)
    graph.addNode(username, {
      x: x[place] ?? 0,
      y: y[place] ?? 0,
      size: small + (large - small) * weight,
      label: displayNames[place] ?? username,
      group: groups[place] ?? -1,
      colour: map.groups[groups[place] ?? -1]?.colour ?? -1,
    })
  })
  for (const [kind, { from, to }] of [['follow', map.follows] as const, ['holding', map.holdings] as const])
    from.forEach((one, line) => {
      addConnection(graph, { kind, from: usernames[one] ?? '', to: usernames[to[line] ?? -1] ?? '' })
    })
  return graph
}

/** Adds a connection unless it is there or an agent is unknown; returns whether it is new. */
export function addConnection(graph: MapGraph, connection: LiveConnection): boolean {
  const { kind, from, to } = connection
  if (from === to || !graph.hasNode(from) || !graph.hasNode(to) || graph.hasEdge(keyOf(connection))) return false
  graph.addEdgeWithKey(keyOf(connection), from, to, { kind })
  return true
}

export function regionsOf({ groups }: NetworkMap): Region[] {
  return groups
    .map((group, place) => ({ name: groupName(group), colour: group.colour, group: place, x: group.x, y: group.y }))
    .filter((_, place) => (groups[place]?.agents ?? 0) > 0)
}

// Dots that can be hit with a finger where there are few, and told apart where there are many.
function sizesFor(count: number): readonly [small: number, large: number] {
  if (count < 100) return [7, 18]
  if (count < 1_000) return [4, 14]
  return count < 4_000 ? [2.5, 10] : [1.6, 8]
}
