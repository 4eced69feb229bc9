import type { NetworkMap } from '@rookery/sdk'
import Sigma from 'sigma'
import { EdgeLineProgram } from 'sigma/rendering'
import type { EdgeDisplayData, NodeDisplayData } from 'sigma/types'
import { type MapColours, readColours, watchTheme } from './colours.js'
import {
  addConnection,
  createGraph,
  type EdgeFacts,
  type MapGraph,
  type NodeFacts,
  type Region,
  regionsOf,
} from './graph.js'
import { drawHovered, drawLabel, drawRegions } from './labels.js'
import { type ConnectionKind, keyOf, type LiveConnection } from './network.js'
import { savePicture } from './save-picture.js'

/** What is shown and what stands out. */
export interface Emphasis {
  /** The agent whose connections stand out. */
  readonly agent: string | undefined
  /** Groups that stand out; none means all. */
  readonly groups: ReadonlySet<number>
  readonly kinds: ReadonlySet<ConnectionKind>
}

export interface Drawing {
  show(map: NetworkMap, live: readonly LiveConnection[]): void
  emphasise(emphasis: Emphasis): void
  /** Moves the camera to an agent. */
  goTo(username: string): void
  /** Adds a connection and lets it flash; returns whether it is new. */
  flash(connection: LiveConnection): boolean
  zoom(way: 'in' | 'out' | 'all'): void
  pan(x: number, y: number): void
  savePicture(name: string): Promise<void>
  remove(): void
}

interface Callbacks {
  onPoint(username: string | undefined, at: { readonly x: number; readonly y: number }): void
  onChoose(username: string | undefined): void
}

/** Above this many agents, pointing at one does not fade the others: that would take too long to follow the pointer. */
const MANY = 2_000
const MANY_LINES = 6_000
const NEWS_MS = 2_500
const CLOSE = 0.35
const NARROW = 640

/** Draws a map into a box, by WebGL. */
export function createDrawing(box: HTMLElement, { onPoint, onChoose }: Callbacks): Drawing {
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  const motion = { duration: isStill ? 0 : 350 }
  let colours: MapColours = readColours(box)
  let regions: Region[] = []
  let graph: MapGraph = createGraph(EMPTY)
  let emphasis: Emphasis = { agent: undefined, groups: new Set(), kinds: new Set(['follow', 'holding']) }
  let pointed: string | undefined
  const timers = new Set<ReturnType<typeof setTimeout>>()

  const sigma = new Sigma<NodeFacts, EdgeFacts>(graph, box, {
    defaultEdgeType: 'line',
    edgeProgramClasses: { line: EdgeLineProgram },
    labelFont: getComputedStyle(box).fontFamily,
    labelSize: 13,
    labelDensity: 0.7,
    labelGridCellSize: 110,
    zIndex: true,
    minCameraRatio: 0.02,
    maxCameraRatio: 2,
    stagePadding: 48,
    inertiaDuration: isStill ? 0 : 200,
    zoomDuration: isStill ? 0 : 200,
    allowInvalidContainer: true,
    nodeReducer: reduceNode,
    edgeReducer: reduceEdge,
    defaultDrawNodeLabel: (pen, data, settings) => drawLabel(pen, data, settings, colours),
    defaultDrawNodeHover: (pen, data, settings) => drawHovered(pen, data, settings, colours),
  })
  // The types leave out where a layer goes.
  const overLabels: object = { beforeLayer: 'hovers', style: { pointerEvents: 'none' } }
  const regionPen = sigma.createCanvasContext('regions', overLabels).getCanvases().regions?.getContext('2d')
  sigma.resize(true)

  const focus = () => (pointed !== undefined && graph.order <= MANY ? pointed : emphasis.agent)
  const isInGroups = (group: number) => emphasis.groups.size === 0 || emphasis.groups.has(group)
  const isShown = (kind: ConnectionKind) => emphasis.kinds.has(kind)

  /** The agent in focus and those connected to it, while there is one. */
  let near: ReadonlySet<string> | undefined
  function findNear(): void {
    const centre = focus()
    if (centre === undefined || !graph.hasNode(centre)) {
      near = undefined
      return
    }
    const found = new Set([centre])
    graph.forEachEdge(centre, (_, { kind }, from, to) => {
      if (isShown(kind)) found.add(from).add(to)
    })
    near = found
  }

  function reduceNode(username: string, { colour, group, ...data }: NodeFacts): Partial<NodeDisplayData> {
    const centre = focus()
    const isPlain = near ? near.has(username) : isInGroups(group)
    const own = colours.groups[colour] ?? colours.quiet
    if (data.isNews)
      return { ...data, color: own, size: data.size * (isStill ? 1.2 : 1.7), highlighted: true, zIndex: 2 }
    if (!isPlain) return { ...data, label: null, color: colours.faded, zIndex: 0 }
    return { ...data, color: own, zIndex: 1, forceLabel: username === centre, highlighted: username === emphasis.agent }
  }

  function reduceEdge(key: string, { kind, isNews }: EdgeFacts): Partial<EdgeDisplayData> {
    if (!isShown(kind)) return { hidden: true }
    const [from, to] = graph.extremities(key)
    const colour = graph.getNodeAttribute(to, 'colour')
    const line = colours.lines[colour < 0 ? colours.lines.length - 1 : colour] ?? colours.faded
    if (isNews) return { color: colours.accent, size: 2, zIndex: 3 }
    const centre = focus()
    if (near) {
      const isTouched = from === centre || to === centre
      return isTouched ? { color: colours.groups[colour] ?? colours.quiet, zIndex: 2 } : { hidden: true }
    }
    const isPlain = isInGroups(graph.getNodeAttribute(from, 'group')) && isInGroups(graph.getNodeAttribute(to, 'group'))
    return isPlain ? { color: line, zIndex: 1 } : { color: colours.faded, zIndex: 0 }
  }

  const redraw = () => {
    findNear()
    sigma.refresh({ skipIndexation: true })
  }

  function point(username: string | undefined): void {
    pointed = username
    box.classList.toggle('map-canvas-pointing', username !== undefined)
    const place = username === undefined ? { x: 0, y: 0 } : sigma.graphToViewport(graph.getNodeAttributes(username))
    onPoint(username, place)
    if (graph.order <= MANY) redraw()
  }

  sigma.on('enterNode', ({ node }) => point(node))
  sigma.on('leaveNode', () => point(undefined))
  sigma.on('clickNode', ({ node }) => onChoose(node))
  sigma.on('clickStage', () => onChoose(undefined))
  sigma.on('afterRender', () => {
    // Around one agent, names of groups would cover those of agents.
    const named = near ? [] : regions.filter(({ group }) => isInGroups(group))
    if (regionPen) drawRegions(regionPen, sigma, named, colours)
  })
  const stopWatching = watchTheme(() => {
    colours = readColours(box)
    redraw()
  })

  function later(work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, NEWS_MS)
    timers.add(timer)
  }

  return {
    show(map, live) {
      graph = createGraph(map)
      regions = regionsOf(map)
      for (const connection of live) addConnection(graph, connection)
      sigma.setSetting('hideEdgesOnMove', graph.size > MANY_LINES)
      sigma.setSetting('labelRenderedSizeThreshold', graph.order < 60 ? 0 : graph.order < 1_000 ? 7 : 9)
      findNear()
      sigma.setGraph(graph)
    },
    emphasise(next) {
      emphasis = next
      redraw()
    },
    goTo(username) {
      const data = sigma.getNodeDisplayData(username)
      if (!data) return
      const { ratio } = sigma.getCamera().getState()
      const closer = graph.order < 60 ? Math.min(ratio, 0.8) : Math.min(ratio, CLOSE)
      // On a narrow screen the panel covers the lower half.
      const up = box.clientWidth < NARROW ? closer * 0.2 : 0
      void sigma.getCamera().animate({ x: data.x, y: data.y - up, ratio: closer }, motion)
    },
    flash(connection) {
      const key = keyOf(connection)
      const isNew = addConnection(graph, connection)
      if (!graph.hasEdge(key)) return false
      const drawn = graph
      const mark = (isNews: boolean) => {
        if (drawn.hasEdge(key)) drawn.setEdgeAttribute(key, 'isNews', isNews)
        for (const name of [connection.from, connection.to])
          if (drawn.hasNode(name)) drawn.setNodeAttribute(name, 'isNews', isNews)
      }
      mark(true)
      later(() => mark(false))
      return isNew
    },
    zoom(way) {
      const camera = sigma.getCamera()
      if (way === 'all') void camera.animatedReset(motion)
      else void (way === 'in' ? camera.animatedZoom(motion) : camera.animatedUnzoom(motion))
    },
    pan(x, y) {
      const camera = sigma.getCamera()
      const state = camera.getState()
      void camera.animate({ x: state.x + x * state.ratio, y: state.y + y * state.ratio }, motion)
    },
    async savePicture(name) {
      // Drawn in this turn: a WebGL canvas is empty after it.
      sigma.refresh({ schedule: false })
      await savePicture(box, colours.paper, name)
    },
    remove() {
      stopWatching()
      for (const timer of timers) clearTimeout(timer)
      sigma.kill()
    },
  }
}

const EMPTY: NetworkMap = {
  builtAt: null,
  totalAgents: 0,
  totalConnections: 0,
  agents: { usernames: [], displayNames: [], x: [], y: [], followers: [], holders: [], groups: [] },
  follows: { from: [], to: [] },
  holdings: { from: [], to: [] },
  groups: [],
}
