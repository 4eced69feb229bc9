import { MAP_EXTENT } from '@rookery/api'
import graphology from 'graphology'
import forceAtlas2 from 'graphology-layout-forceatlas2'
import { NO_GROUP } from './groups.js'
import { createRandom } from './random.js'

/** A connection by the places of two agents. */
export type Pair = readonly [from: number, to: number]

/** Positions, and by how much they were scaled to fit. */
export interface Layout {
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly scale: number
}

interface Point {
  readonly x: number
  readonly y: number
}

interface LayoutInput {
  readonly groupOf: ArrayLike<number>
  readonly pairs: readonly Pair[]
  /** Where agents were in the last layout. */
  readonly earlier: readonly (Point | undefined)[]
  /** Of the last layout. */
  readonly earlierScale?: number | undefined
}

// The types of the package describe an ES module, which it is not.
const { assign } = forceAtlas2 as unknown as typeof forceAtlas2.default

const MIDDLE = MAP_EXTENT / 2
const MARGIN = 0.96
// How strongly a group holds its members together, against one connection.
const HOLD = 3
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))
const MANY = 1_500

/**
 * Places agents so that connected ones are near each other and groups are regions. The same input gives the same layout,
 * and agents begin where they were, so that the picture stays recognisable.
 */
export function layOut({ groupOf, pairs, earlier, earlierScale }: LayoutInput): Layout {
  const size = groupOf.length
  if (size === 0) return { x: [], y: [], scale: 1 }
  const graph = new graphology.UndirectedGraph()
  const starts = startingPoints({ groupOf, pairs, earlier, earlierScale })
  starts.forEach(({ x, y }, place) => {
    graph.addNode(place, { x, y })
  })
  for (const [from, to] of pairs) if (from !== to) graph.mergeEdge(from, to, { weight: 1 })
  addHubs(graph, groupOf, starts)
  const known = earlier.filter((point) => point !== undefined).length
  if (graph.order > 1)
    assign(graph, {
      iterations: stepsFor(size, known / size),
      getEdgeWeight: 'weight',
      settings: {
        linLogMode: true,
        gravity: 0.6,
        scalingRatio: 4,
        slowDown: 2,
        barnesHutOptimize: size > MANY,
        barnesHutTheta: 0.8,
      },
    })
  const points = starts.map((_, place) => graph.getNodeAttributes(place) as Point)
  return fit(points, earlierScale)
}

// A layout that begins from the last one needs few steps.
function stepsFor(size: number, knownShare: number): number {
  const full = size > MANY ? 160 : 600
  if (knownShare > 0.95) return full / 8
  return knownShare > 0.6 ? full / 4 : full
}

/** An invisible agent in the middle of each group, connected to all its members. */
function addHubs(graph: graphology.UndirectedGraph, groupOf: ArrayLike<number>, starts: readonly Point[]): void {
  const members = new Map<number, number[]>()
  starts.forEach((_, place) => {
    const group = groupOf[place] ?? NO_GROUP
    if (group !== NO_GROUP) members.set(group, [...(members.get(group) ?? []), place])
  })
  for (const [group, places] of members) {
    const middle = middleOf(places.map((place) => starts[place] as Point))
    graph.addNode(`group ${group}`, middle)
    for (const place of places) graph.addEdge(`group ${group}`, place, { weight: HOLD })
  }
}

/** Agents begin where they were; newcomers near whom they are connected to, or with their group. */
function startingPoints({ groupOf, pairs, earlier, earlierScale = 1 }: LayoutInput): Point[] {
  const size = groupOf.length
  const known = Array.from({ length: size }, (_, place) => {
    const point = earlier[place]
    return point && { x: (point.x - MIDDLE) / earlierScale, y: (point.y - MIDDLE) / earlierScale }
  })
  const neighbours = neighboursOf(pairs, known)
  const groups = new Set(Array.from(groupOf))
  const reach = 10 * Math.sqrt(size)
  const random = createRandom('layout')
  return known.map((point, place) => {
    const [angle, distance] = [place * GOLDEN_ANGLE, Math.sqrt(random()) * reach]
    const near = neighbours.get(place)
    if (point) return point
    if (near) return around(middleOf(near), angle, reach * 0.05)
    return around(groupStart(groupOf[place] ?? NO_GROUP, groups.size, reach * 2), angle, distance * 0.3)
  })
}

function neighboursOf(pairs: readonly Pair[], known: readonly (Point | undefined)[]): Map<number, Point[]> {
  const neighbours = new Map<number, Point[]>()
  const add = (place: number, other: number) => {
    const point = known[other]
    if (!known[place] && point) neighbours.set(place, [...(neighbours.get(place) ?? []), point])
  }
  for (const [from, to] of pairs) {
    add(from, to)
    add(to, from)
  }
  return neighbours
}

function groupStart(group: number, count: number, reach: number): Point {
  if (group === NO_GROUP) return { x: 0, y: 0 }
  return around({ x: 0, y: 0 }, (group / Math.max(1, count)) * 2 * Math.PI, reach)
}

function around({ x, y }: Point, angle: number, distance: number): Point {
  return { x: x + Math.cos(angle) * distance, y: y + Math.sin(angle) * distance }
}

export function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce((sum, { x, y }) => ({ x: sum.x + x, y: sum.y + y }), { x: 0, y: 0 })
  return { x: sum.x / Math.max(1, points.length), y: sum.y / Math.max(1, points.length) }
}

/** Scales positions to the extent of the map. Keeps the last scale if they still fit it well, so that nothing jumps. */
function fit(points: readonly Point[], earlierScale: number | undefined): Layout {
  const middle = middleOf(points)
  const centred = points.map(({ x, y }) => ({ x: x - middle.x, y: y - middle.y }))
  const reach = centred.reduce((most, { x, y }) => Math.max(most, Math.abs(x), Math.abs(y)), 1e-9)
  const fitting = (MIDDLE * MARGIN) / reach
  const isClose = earlierScale !== undefined && earlierScale <= fitting / MARGIN && earlierScale > fitting * 0.8
  const scale = isClose ? earlierScale : fitting
  const toInteger = (value: number) => Math.round(Math.min(MAP_EXTENT, Math.max(0, MIDDLE + value * scale)))
  return { x: centred.map(({ x }) => toInteger(x)), y: centred.map(({ y }) => toInteger(y)), scale }
}
