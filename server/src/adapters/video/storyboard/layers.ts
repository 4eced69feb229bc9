import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { between, createHills } from './chance.js'
import { type Color, css, mix } from './colors.js'
import type { Ground, Storyboard } from './storyboard.js'

/** The size of the picture, and where the sky meets the ground. */
export interface Stage {
  readonly width: number
  readonly height: number
  readonly horizon: number
}

/** Draws one part of the scene at a time in seconds. */
export type Layer = (context: SKRSContext2D, seconds: number) => void

// How far the view wanders in the end, as a part of the width; what is near wanders all the way.
const WANDER = 0.22

/** What stands on the ground, from far to near. */
export function createGrounds(board: Storyboard, stage: Stage): Layer[] {
  const count = board.grounds.length
  return board.grounds.flatMap((ground, index) => makers[ground](board, stage, count === 1 ? 0.6 : index / count))
}

type Maker = (board: Storyboard, stage: Stage, nearness: number) => Layer[]

const makers: Readonly<Record<Ground, Maker>> = {
  mountains: (board, stage, near) => [
    ridge(board, stage, { depth: near * 0.3, top: 0.36, low: 0.04, roughness: 0.55, length: 5 }),
    ridge(board, stage, { depth: near * 0.5 + 0.12, top: 0.24, low: 0.0, roughness: 0.5, length: 6 }),
    ridge(board, stage, { depth: near * 0.5 + 0.32, top: 0.1, low: -0.12, roughness: 0.4, length: 4 }),
  ],
  city: (board, stage, near) => [
    skyline(board, stage, { depth: near * 0.5 + 0.1, tallest: 0.42, width: 0.035 }),
    skyline(board, stage, { depth: near * 0.5 + 0.4, tallest: 0.27, width: 0.055 }),
  ],
  forest: (board, stage, near) =>
    [0, 1, 2].map((row) => trees(board, stage, { depth: near * 0.4 + 0.15 + row * 0.2, row })),
  desert: (board, stage, near) =>
    [0, 1, 2].map((row) =>
      ridge(sandy(board), stage, {
        depth: near * 0.4 + 0.1 + row * 0.22,
        top: 0.1 - row * 0.09,
        low: -0.02 - row * 0.12,
        roughness: 0.22,
        length: 3,
        lit: true,
      }),
    ),
  field: (board, stage, near) =>
    [0, 1, 2].map((row) =>
      ridge(grassy(board), stage, {
        depth: near * 0.4 + 0.15 + row * 0.24,
        top: 0.1 - row * 0.1,
        low: -0.04 - row * 0.1,
        roughness: 0.25,
        length: 5,
        lit: true,
      }),
    ),
  sea: (board, stage) => [sea(board, stage)],
}

// Distance pales what stands there towards the colour of the horizon.
function paled({ palette }: Storyboard, depth: number, color: Color = palette.land): Color {
  return mix(color, mix(palette.sky[2], palette.sky[1], 0.35), Math.max(0, 0.72 - depth))
}

function sandy(board: Storyboard): Storyboard {
  const land = mix(board.palette.land, board.palette.light, 0.45)
  return { ...board, palette: { ...board.palette, land } }
}

function grassy(board: Storyboard): Storyboard {
  const share = board.mood === 'day' || board.mood === 'dawn' ? 0.6 : 0.25
  return { ...board, palette: { ...board.palette, land: mix(board.palette.land, [104, 158, 72], share) } }
}

/** A layer that is drawn once, and stays. */
export function still({ width, height }: Stage, draw: (context: SKRSContext2D) => void): Layer {
  const canvas = createCanvas(width, height)
  draw(canvas.getContext('2d'))
  return (context) => context.drawImage(canvas, 0, 0)
}

/** A layer that is drawn once, wider than the picture, and then only moved. */
function moving(stage: Stage, depth: number, draw: (context: SKRSContext2D, width: number) => void): Layer {
  const width = Math.ceil(stage.width * (1 + WANDER))
  const canvas: Canvas = createCanvas(width, stage.height)
  draw(canvas.getContext('2d'), width)
  return (context, seconds) => context.drawImage(canvas, -stage.width * WANDER * depth * ease(seconds / 6), 0)
}

function ease(part: number): number {
  return part * part * (3 - 2 * part) * 0.4 + part * 0.6
}

interface Ridge {
  readonly depth: number
  /** Highest and lowest point above the horizon, as parts of the height. */
  readonly top: number
  readonly low: number
  readonly roughness: number
  /** How many hills fit into the picture. */
  readonly length: number
  /** Whether light lies on its back. */
  readonly lit?: boolean
}

function ridge(board: Storyboard, stage: Stage, { depth, top, low, roughness, length, lit }: Ridge): Layer {
  const hills = createHills(board.chance, roughness)
  const color = paled(board, depth)
  const { palette } = board
  return moving(stage, depth, (context, width) => {
    const lineAt = (x: number) => stage.horizon - (low + (top - low) * hills((x / stage.width) * length)) * stage.height
    const fill = context.createLinearGradient(0, stage.horizon - top * stage.height, 0, stage.height)
    fill.addColorStop(0, css(mix(color, palette.light, lit ? 0.28 : 0.1)))
    fill.addColorStop(0.35, css(color))
    fill.addColorStop(1, css(mix(color, [0, 0, 0], 0.45)))
    context.fillStyle = fill
    context.beginPath()
    context.moveTo(0, stage.height)
    for (let x = 0; x <= width + 2; x += 2) context.lineTo(x, lineAt(x))
    context.lineTo(width + 2, stage.height)
    context.fill()
  })
}

function skyline(
  board: Storyboard,
  stage: Stage,
  { depth, tallest, width: part }: { depth: number; tallest: number; width: number },
): Layer {
  const { chance, palette, mood } = board
  const color = paled(board, depth)
  const isLit = mood === 'night' || mood === 'sunset' || mood === 'space' || mood === 'storm'
  const windows: { x: number; y: number; size: number; phase: number }[] = []
  const houses = moving(stage, depth, (context, width) => {
    for (let x = -10; x < width; ) {
      const house = stage.width * part * between(chance, 0.6, 1.5)
      const height = stage.height * tallest * between(chance, 0.25, 1) ** 1.4 + stage.height * 0.05
      const top = stage.horizon - height
      const fill = context.createLinearGradient(0, top, 0, stage.horizon)
      fill.addColorStop(0, css(color))
      fill.addColorStop(1, css(mix(color, palette.sky[2], 0.22)))
      context.fillStyle = fill
      context.fillRect(x, top, house, stage.height - top)
      if (chance() < 0.25) context.fillRect(x + house / 2 - 1.5, top - height * 0.18, 3, height * 0.18)
      const size = Math.max(3, stage.width * 0.0042)
      for (let row = top + size * 2; row < stage.horizon - size; row += size * 2.4)
        for (let column = x + size; column < x + house - size * 1.5; column += size * 2.2)
          if (chance() < 0.36) windows.push({ x: column, y: row, size, phase: chance() * 40 })
      x += house + (chance() < 0.2 ? house * 0.25 : 1)
    }
    context.fillStyle = css(isLit ? palette.light : mix(color, palette.light, 0.55), isLit ? 0.82 : 0.5)
    for (const { x, y, size, phase } of windows) if (phase > 6) context.fillRect(x, y, size, size * 1.2)
  })
  const switching = windows.filter(({ phase }) => phase <= 6)
  return (context, seconds) => {
    houses(context, seconds)
    context.fillStyle = css(palette.light, isLit ? 0.9 : 0.5)
    const shift = stage.width * WANDER * depth * ease(seconds / 6)
    for (const { x, y, size, phase } of switching) if (seconds > phase) context.fillRect(x - shift, y, size, size * 1.2)
  }
}

function trees(board: Storyboard, stage: Stage, { depth, row }: { depth: number; row: number }): Layer {
  const { chance } = board
  const color = paled(board, depth)
  const ground = createHills(chance, 0.3)
  return moving(stage, depth, (context, width) => {
    const size = stage.height * (0.13 + row * 0.09)
    const lineAt = (x: number) => stage.horizon + stage.height * (row * 0.11 - 0.02 - 0.05 * ground(x / 300))
    context.fillStyle = css(color)
    context.beginPath()
    context.moveTo(0, stage.height)
    for (let x = 0; x <= width; x += 4) context.lineTo(x, lineAt(x))
    context.lineTo(width, stage.height)
    context.fill()
    for (let x = -size; x < width + size; x += size * between(chance, 0.12, 0.42))
      conifer(context, x, lineAt(x) + 4, size * between(chance, 0.55, 1.15))
  })
}

function conifer(context: SKRSContext2D, x: number, foot: number, height: number): void {
  context.fillRect(x - height * 0.02, foot - height * 0.15, height * 0.04, height * 0.16)
  for (let tier = 0; tier < 4; tier++) {
    const base = foot - height * (0.1 + tier * 0.2)
    const half = height * (0.21 - tier * 0.042)
    context.beginPath()
    context.moveTo(x - half, base)
    context.quadraticCurveTo(x - half * 0.3, base - height * 0.06, x, base - height * 0.3)
    context.quadraticCurveTo(x + half * 0.3, base - height * 0.06, x + half, base)
    context.fill()
  }
}

function sea(board: Storyboard, stage: Stage): Layer {
  const { palette, chance } = board
  const glints = Array.from({ length: 90 }, () => ({ x: chance(), y: chance() ** 1.6, phase: chance() * 6.3 }))
  return (context, seconds) => {
    const { width, height, horizon } = stage
    const water = context.createLinearGradient(0, horizon, 0, height)
    water.addColorStop(0, css(mix(palette.water, palette.sky[2], 0.62)))
    water.addColorStop(0.3, css(palette.water))
    water.addColorStop(1, css(mix(palette.water, [0, 0, 0], 0.55)))
    context.fillStyle = water
    context.fillRect(0, horizon, width, height - horizon)
    for (const { x, y, phase } of glints) {
      const shine = Math.max(0, Math.sin(seconds * 2.2 + phase))
      const spread = 0.06 + y * 0.2
      const at = width * (0.5 + (x - 0.5) * spread * 3 + 0.01 * Math.sin(seconds + phase))
      context.fillStyle = css(palette.light, 0.55 * shine * (1 - y * 0.5))
      context.fillRect(at, horizon + y * (height - horizon), width * (0.006 + y * 0.03), Math.max(1, 1 + y * 3))
    }
    for (let row = 0; row < 7; row++)
      wave(context, stage, row, seconds, css(mix(palette.water, palette.light, 0.5 - row * 0.05), 0.1))
  }
}

function wave(
  context: SKRSContext2D,
  { width, height, horizon }: Stage,
  row: number,
  seconds: number,
  color: string,
): void {
  const depth = ((row + 1) / 7) ** 1.7
  const base = horizon + depth * (height - horizon) * 0.92
  context.fillStyle = color
  context.beginPath()
  context.moveTo(0, height)
  for (let x = 0; x <= width; x += 6) {
    const swell = Math.sin(x / (40 + depth * 150) + seconds * (0.7 + depth) + row * 1.9) * (2 + depth * 12)
    context.lineTo(x, base + swell + Math.sin(x / (17 + depth * 60) - seconds * 1.3 + row) * (1 + depth * 4))
  }
  context.lineTo(width, height)
  context.fill()
}
