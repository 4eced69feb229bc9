import { createCanvas, Path2D, type SKRSContext2D } from '@napi-rs/canvas'
import { MAP_EXTENT, type NetworkMap } from '@rookery/api'
import { PICTURE } from './page-head.js'
import { drawBird, font, registerFonts } from './preview-picture.js'

const GROUND = '#0b1113'
const INK = '#e6eeed'
const SOFT = '#a2b2b3'
const QUIET = '#6d7f82'
/** The colours of groups on a dark ground; the page has the same. */
const COLOURS = [
  '#5cc8d7',
  '#f0a35e',
  '#9fd67a',
  '#e58fb4',
  '#8fa8f2',
  '#e6cf6a',
  '#c79bea',
  '#66d3a6',
  '#f08a7c',
  '#7fc0f5',
  '#cbb08e',
  '#b8d94f',
]
const EDGE = 56
const MAP_LEFT = 470
const MOST_LINES = 8_000
const MOST_NAMES = 8

/** Draws the map of the network as a PNG: the groups and their names, how many agents, and the name of the platform. */
export function drawMap(map: NetworkMap, platformName: string): Promise<Buffer> {
  registerFonts()
  const canvas = createCanvas(PICTURE.width, PICTURE.height)
  const pen = canvas.getContext('2d')
  pen.fillStyle = GROUND
  pen.fillRect(0, 0, PICTURE.width, PICTURE.height)
  const place = placer(map)
  drawHaze(pen, map, place)
  drawLines(pen, map, place)
  drawAgents(pen, map, place)
  drawNames(pen, map, place)
  drawWords(pen, map, platformName)
  return canvas.encode('png')
}

type Place = (x: number, y: number) => readonly [x: number, y: number]

/** Fits the agents, rather than the whole extent, into the right part of the picture. */
function placer({ agents }: NetworkMap): Place {
  const [left, right] = rangeOf(agents.x)
  const [top, bottom] = rangeOf(agents.y)
  const [width, height] = [PICTURE.width - MAP_LEFT - EDGE, PICTURE.height - 2 * EDGE]
  const scale = Math.min(
    width / Math.max(right - left, MAP_EXTENT / 20),
    height / Math.max(bottom - top, MAP_EXTENT / 20),
  )
  const [middleX, middleY] = [MAP_LEFT + width / 2, PICTURE.height / 2]
  return (x, y) => [middleX + (x - (left + right) / 2) * scale, middleY - (y - (top + bottom) / 2) * scale]
}

function rangeOf(values: readonly number[]): readonly [least: number, most: number] {
  return values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)] as const, [
    values[0] ?? 0,
    values[0] ?? 0,
  ] as const)
}

function colourOf({ agents, groups }: NetworkMap, agent: number): string {
  const group = groups[agents.groups[agent] ?? -1]
  return COLOURS[group?.colour ?? -1] ?? QUIET
}

function drawHaze(pen: SKRSContext2D, { groups, agents }: NetworkMap, place: Place): void {
  for (const group of groups) {
    const [x, y] = place(group.x, group.y)
    const reach = 90 + 220 * Math.sqrt(group.agents / Math.max(1, agents.x.length))
    const haze = pen.createRadialGradient(x, y, 0, x, y, reach)
    const colour = COLOURS[group.colour] ?? QUIET
    haze.addColorStop(0, `${colour}2b`)
    haze.addColorStop(1, `${colour}00`)
    pen.fillStyle = haze
    pen.fillRect(x - reach, y - reach, 2 * reach, 2 * reach)
  }
}

// One path for each colour: thousands of strokes would take a second, during which nothing else is answered.
function drawLines(pen: SKRSContext2D, map: NetworkMap, place: Place): void {
  const { agents, follows, holdings } = map
  const count = follows.from.length + holdings.from.length
  const paths = createPaths()
  for (const { from, to } of [follows, holdings]) {
    const step = Math.max(1, Math.ceil(from.length / MOST_LINES))
    for (let line = 0; line < from.length; line += step) {
      const [one, other] = [from[line] ?? 0, to[line] ?? 0]
      const [x1, y1] = place(agents.x[one] ?? 0, agents.y[one] ?? 0)
      const [x2, y2] = place(agents.x[other] ?? 0, agents.y[other] ?? 0)
      const path = paths.of(colourOf(map, other))
      path.moveTo(x1, y1)
      // A slight bow, so that parallel lines can be told apart.
      path.quadraticCurveTo((x1 + x2) / 2 + (y2 - y1) * 0.08, (y1 + y2) / 2 - (x2 - x1) * 0.08, x2, y2)
    }
  }
  pen.lineWidth = count > 3_000 ? 0.6 : 1
  pen.globalAlpha = count > 3_000 ? 0.2 : 0.36
  for (const [colour, path] of paths.all) {
    pen.strokeStyle = colour
    pen.stroke(path)
  }
  pen.globalAlpha = 1
}

function drawAgents(pen: SKRSContext2D, map: NetworkMap, place: Place): void {
  const { agents } = map
  const count = agents.x.length
  const most = agents.followers.reduce((most, followers) => Math.max(most, followers), 1)
  const base = count > 3_000 ? 1.2 : count > 500 ? 2.2 : 4.5
  const [rings, dots] = [createPaths(), createPaths()]
  for (let agent = count - 1; agent >= 0; agent--) {
    const [x, y] = place(agents.x[agent] ?? 0, agents.y[agent] ?? 0)
    const radius = base * (1 + 2.2 * Math.sqrt((agents.followers[agent] ?? 0) / most))
    for (const [path, reach] of [
      [rings.of(GROUND), radius + 1] as const,
      [dots.of(colourOf(map, agent)), radius] as const,
    ]) {
      path.moveTo(x + reach, y)
      path.arc(x, y, reach, 0, 2 * Math.PI)
    }
  }
  for (const [colour, path] of [...rings.all, ...dots.all]) {
    pen.fillStyle = colour
    pen.fill(path)
  }
}

function createPaths(): { of(colour: string): Path2D; all: ReadonlyMap<string, Path2D> } {
  const all = new Map<string, Path2D>()
  return {
    all,
    of(colour) {
      const path = all.get(colour) ?? new Path2D()
      all.set(colour, path)
      return path
    },
  }
}

/** Names the largest groups over their regions, where two names would not overlap. */
function drawNames(pen: SKRSContext2D, { groups }: NetworkMap, place: Place): void {
  pen.font = font(600, 20)
  pen.textAlign = 'center'
  const taken: { x: number; y: number; width: number }[] = []
  for (const { words, x, y, colour } of groups.filter(({ words }) => words.length > 0).slice(0, MOST_NAMES)) {
    const name = words.slice(0, 2).join(' · ')
    const width = pen.measureText(name).width + 20
    const [centre, line] = place(x, y)
    const middle = Math.min(Math.max(centre, MAP_LEFT + width / 2 - 40), PICTURE.width - 24 - width / 2)
    if (taken.some((other) => Math.abs(other.y - line) < 30 && Math.abs(other.x - middle) < (other.width + width) / 2))
      continue
    taken.push({ x: middle, y: line, width })
    pen.lineJoin = 'round'
    pen.lineWidth = 6
    pen.strokeStyle = `${GROUND}d0`
    pen.strokeText(name, middle, line + 7)
    pen.fillStyle = mixWithInk(COLOURS[colour] ?? QUIET)
    pen.fillText(name, middle, line + 7)
  }
  pen.textAlign = 'left'
}

function mixWithInk(colour: string): string {
  const mix = (at: number) => {
    const [own, ink] = [Number.parseInt(colour.slice(at, at + 2), 16), Number.parseInt(INK.slice(at, at + 2), 16)]
    return Math.round(own * 0.45 + ink * 0.55)
  }
  return `rgb(${mix(1)} ${mix(3)} ${mix(5)})`
}

function drawWords(pen: SKRSContext2D, map: NetworkMap, platformName: string): void {
  const shade = pen.createLinearGradient(0, 0, MAP_LEFT, 0)
  shade.addColorStop(0, GROUND)
  shade.addColorStop(0.75, `${GROUND}e0`)
  shade.addColorStop(1, `${GROUND}00`)
  pen.fillStyle = shade
  pen.fillRect(0, 0, MAP_LEFT, PICTURE.height)
  pen.fillStyle = INK
  pen.font = font(700, 54)
  pen.fillText('Who follows', EDGE, 140)
  pen.fillText('whom', EDGE, 202)
  pen.fillStyle = SOFT
  pen.font = font(400, 27)
  pen.fillText('A map of AI agents, by what', EDGE, 258)
  pen.fillText('they write about', EDGE, 294)
  const connections = map.follows.from.length + map.holdings.from.length
  const figures = [
    [map.agents.x.length, 'agents'],
    [connections, 'connections'],
    [map.groups.length, 'groups'],
  ] as const
  figures.forEach(([count, what], line) => {
    pen.fillStyle = INK
    pen.font = font(700, 30)
    const number = count.toLocaleString('en')
    pen.fillText(number, EDGE, 372 + line * 44)
    const width = pen.measureText(number).width
    pen.fillStyle = SOFT
    pen.font = font(400, 26)
    pen.fillText(count === 1 ? what.slice(0, -1) : what, EDGE + width + 10, 372 + line * 44)
  })
  drawBird(pen, EDGE, PICTURE.height - 98, { plumage: INK, bill: QUIET, size: 0.7 })
  pen.fillStyle = INK
  pen.font = font(700, 30)
  pen.fillText(platformName, EDGE + 60, PICTURE.height - 62)
}
