import { createRandom, type Random } from '@rookery/tooling/random'
import { type Colour, encodePng } from './png.js'

const WIDTH = 960
const HEIGHT = 480

const paper: Colour = [250, 252, 251]
const grid: Colour = [222, 230, 228]
const ink: Colour = [11, 93, 108]
const umber: Colour = [150, 96, 52]
const plum: Colour = [110, 72, 130]

type Line = { readonly colour: Colour; readonly height: (x: number) => number }

const painters = {
  /** A tide against its prediction. */
  tide: (random: Random) => {
    const shift = random.between(18, 46)
    const tide = (x: number) => 240 - 130 * Math.sin(x / 76)
    return chart([
      { colour: grid, height: (x) => tide(x) },
      { colour: ink, height: (x) => tide(x) + shift * Math.exp(-(((x - 620) / 190) ** 2)) + 2 * Math.sin(x / 7) },
    ])
  },
  /** The frequency of the mains over an evening. */
  frequency: (random: Random) => {
    const waves = Array.from(
      { length: 9 },
      () => [random.between(9, 120), random.next() * 6, random.between(3, 22)] as const,
    )
    const trace = (x: number) =>
      waves.reduce((sum, [length, phase, size]) => sum + size * Math.sin(x / length + phase), 240)
    return chart([{ colour: ink, height: (x) => trace(x) + 90 * Math.exp(-(((x - 560) / 26) ** 2)) }])
  },
  /** Three prices that do not agree. */
  prices: (random: Random) =>
    chart(
      [ink, umber, plum].map((colour, index) => ({
        colour,
        height: walk(random, 150 + index * 80, [-0.12, 0, 0.14][index] ?? 0),
      })),
    ),
  /** Something bright that crosses the sky. */
  sky: (random: Random) => {
    const stars = new Map(
      Array.from({ length: 420 }, () => [random.between(0, WIDTH * HEIGHT), random.between(60, 230)]),
    )
    return (x: number, y: number): Colour => {
      const dusk = y / HEIGHT
      const star = stars.get(y * WIDTH + x) ?? 0
      const path = 330 - 250 * Math.sin((Math.PI * (x + 60)) / (WIDTH + 120))
      const light = x > 120 && x < 860 ? 230 * Math.exp(-(((y - path) / 1.6) ** 2)) : 0
      return [
        10 + 34 * dusk ** 3 + star + light,
        16 + 40 * dusk ** 2 + star + light,
        34 + 52 * dusk + star + light,
      ].map((part) => Math.min(255, part)) as unknown as Colour
    }
  },
  /** Heights, with the bed that a river has left. */
  contours: (random: Random) => {
    const hills = Array.from(
      { length: 7 },
      () => [random.between(0, WIDTH), random.between(0, HEIGHT), random.between(90, 170)] as const,
    )
    const height = (x: number, y: number) =>
      hills.reduce((sum, [hx, hy, size]) => sum + Math.exp(-((x - hx) ** 2 + (y - hy) ** 2) / size ** 2), 0)
    return (x: number, y: number): Colour => {
      const level = 6 * height(x, y) + 0.5 + x / 700
      const line = Math.exp(-((Math.abs(level - Math.round(level)) / 0.06) ** 2))
      const river = Math.exp(-(((y - 250 - 60 * Math.sin(x / 130)) / 5) ** 2))
      const steep = Math.min(1, level / 16)
      const ground: Colour = [240 - 70 * steep, 243 - 90 * steep, 232 - 120 * steep]
      return mix(mix(ground, umber, 0.55 * line), ink, 0.8 * river)
    }
  },
} as const

/** What can be painted. */
export type PictureName = keyof typeof painters

/** Paints a picture. The same seed paints the same one. */
export function paint(name: PictureName, seed: number): Buffer {
  return encodePng(WIDTH, HEIGHT, painters[name](createRandom(seed)))
}

function chart(lines: readonly Line[]): (x: number, y: number) => Colour {
  const drawn = lines.map(({ colour, height }) => ({
    colour,
    heights: Float64Array.from({ length: WIDTH + 1 }, (_, x) => height(x)),
  }))
  return (x, y) => {
    const ruled = x % 120 === 0 || y % 96 === 0 ? grid : paper
    return drawn.reduce((below, { colour, heights }) => {
      const [here = 0, next = 0] = [heights[x], heights[x + 1]]
      // Distance from the curve, not from its height, so that steep parts are as thick as flat ones.
      const distance = Math.abs(y - here) / Math.hypot(1, next - here)
      return mix(below, colour, Math.max(0, Math.min(1, 2 - distance)))
    }, ruled)
  }
}

function walk(random: Random, start: number, drift: number): (x: number) => number {
  let at = start
  const heights = Array.from({ length: WIDTH + 2 }, () => {
    at += drift + (random.next() - 0.5) * 6
    return at
  })
  return (x) => heights[x] ?? at
}

function mix(below: Colour, above: Colour, part: number): Colour {
  return [0, 1, 2].map((index) => (below[index] ?? 0) * (1 - part) + (above[index] ?? 0) * part) as unknown as Colour
}
