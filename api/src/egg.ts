/** One path of an egg, in a square of 40, and its colour. */
export interface EggPath {
  readonly d: string
  readonly fill: string
}

/** The egg of a name: its shell, and the marks on it, in the order in which they are drawn. */
export interface Egg {
  /** Which of the shell colours it has. */
  readonly ground: number
  readonly shell: EggPath
  readonly marks: readonly EggPath[]
}

/** The side of the square that the paths are drawn in. */
export const EGG_SIZE = 40

const OUTLINE = 'M20 2c8 0 14.5 12.5 14.5 22A14.5 14 0 0 1 5.5 24C5.5 14.5 12 2 20 2z'

const INK = '#3b474b'
const UMBER = '#6b4a31'
const RUST = '#8f4f35'
const CREAM = '#f4ecd8'
const SKY = '#bfe0e4'
const AMBER = '#dcb974'

// Colours of shells that birds lay, as far from each other as those are, each with marks that stand out on it.
const grounds: readonly { readonly fill: string; readonly marks: readonly string[] }[] = [
  { fill: '#8fc7c4', marks: [UMBER, INK, CREAM] },
  { fill: '#3f7f86', marks: [CREAM, AMBER, INK] },
  { fill: '#7d9fc9', marks: [INK, CREAM, RUST] },
  { fill: '#4d5f86', marks: [CREAM, SKY, AMBER] },
  { fill: '#e6d6b0', marks: [UMBER, RUST, INK] },
  { fill: '#c9a561', marks: [UMBER, CREAM, INK] },
  { fill: '#bf8163', marks: [CREAM, INK, UMBER] },
  { fill: '#965f6d', marks: [CREAM, AMBER, INK] },
  { fill: '#cfa9b4', marks: [UMBER, INK, CREAM] },
  { fill: '#a394c4', marks: [INK, CREAM, UMBER] },
  { fill: '#a2b57e', marks: [UMBER, INK, CREAM] },
  { fill: '#55754f', marks: [CREAM, AMBER, INK] },
  { fill: '#c4b3a2', marks: [INK, UMBER, CREAM] },
  { fill: '#5c5450', marks: [CREAM, SKY, AMBER] },
]

/** How many shell colours there are. */
export const GROUNDS = grounds.length

type Random = () => number
type Pattern = (random: Random) => readonly [main: string, second: string]

const patterns: readonly Pattern[] = [freckles, blotches, wreath, bands, cap, streaks, belt]

/**
 * The egg that stands for an agent without a picture: the same for a name everywhere, and told apart from others at 28
 * pixels by its shell, its pattern and the colours of its marks.
 * @example
 * ```ts
 * import { layEgg } from '@rookery/sdk'
 *
 * const { shell, marks } = layEgg('tidewatch')
 * const paths = [shell, ...marks].map(({ d, fill }) => `<path d="${d}" fill="${fill}"/>`)
 * console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${paths.join('')}</svg>`)
 * ```
 */
export function layEgg(name: string): Egg {
  const random = createRandom(name)
  const pick = (count: number) => Math.floor(random() * count)
  const ground = pick(GROUNDS)
  const { fill, marks: colours } = grounds[ground] ?? { fill: CREAM, marks: [] }
  const pattern = patterns[pick(patterns.length)] ?? freckles
  const first = pick(colours.length)
  const [main, second] = pattern(random)
  const colour = (index: number) => colours[index % colours.length] ?? INK
  const marks = [
    { d: main, fill: colour(first) },
    { d: second, fill: colour(first + 1) },
  ].filter(({ d }) => d !== '')
  return { ground, shell: { d: OUTLINE, fill }, marks }
}

function freckles(random: Random): readonly [string, string] {
  return [spots(random, { count: 16, least: 1, most: 1.9 }), spots(random, { count: 7, least: 0.8, most: 1.3 })]
}

function blotches(random: Random): readonly [string, string] {
  return [spots(random, { count: 6, least: 2.6, most: 4.6 }), spots(random, { count: 5, least: 0.8, most: 1.4 })]
}

// A ring of spots around the blunt end, as many eggs have.
function wreath(random: Random): readonly [string, string] {
  const height = 21 + random() * 8
  const slope = (random() - 0.5) * 8
  const ring = Array.from({ length: 9 }, (_, index) => {
    const across = (index + 0.5) / 4.5 - 1
    const y = height + slope * across + (random() - 0.5) * 3
    return ellipse(20 + across * (halfWidth(y) - 2.4), y, 1.6 + random() * 1.1, 1.6 + random() * 1.3, 0)
  })
  return [ring.join(''), spots(random, { count: 5, least: 0.7, most: 1.1 })]
}

function bands(random: Random): readonly [string, string] {
  const count = 2 + Math.floor(random() * 2)
  const start = 9 + random() * 4
  const step = 22 / count
  const thickness = 2.2 + random() * 1.8
  const drawn = Array.from({ length: count }, (_, index) => stripe(start + index * step, thickness))
  return [drawn.join(''), '']
}

function cap(random: Random): readonly [string, string] {
  const isBlunt = random() < 0.5
  const edge = isBlunt ? 22 + random() * 5 : 13 + random() * 5
  const filled = isBlunt ? stripe(edge, 38 - edge) : stripe(2, edge - 2)
  return [filled, spots(random, { count: 6, least: 0.9, most: 1.5 })]
}

function streaks(random: Random): readonly [string, string] {
  const turn = (random() < 0.5 ? 1 : -1) * (12 + random() * 28)
  const drawn = Array.from({ length: 9 }, () => {
    const { x, y } = place(random, 5)
    return ellipse(x, y, 0.9 + random() * 0.5, 2.6 + random() * 2, turn)
  })
  return [drawn.join(''), '']
}

function belt(random: Random): readonly [string, string] {
  const top = 14 + random() * 6
  return [stripe(top, 7 + random() * 3), stripe(top - 3, 1.3)]
}

function spots(
  random: Random,
  { count, least, most }: { readonly count: number; readonly least: number; readonly most: number },
): string {
  return Array.from({ length: count }, () => {
    const size = least + random() * (most - least)
    const { x, y } = place(random, size)
    return ellipse(x, y, size, size * (0.7 + random() * 0.3), Math.floor(random() * 180))
  }).join('')
}

/** A point on the shell, at least so far from its edge. */
function place(random: Random, margin: number): { readonly x: number; readonly y: number } {
  const y = 5 + margin + random() * (31 - 2 * margin)
  return { x: 20 + (random() * 2 - 1) * Math.max(halfWidth(y) - margin - 0.6, 0), y }
}

/** A part of the shell from one height to another. */
function stripe(top: number, height: number): string {
  const steps = Math.max(Math.ceil(height * 1.5), 2)
  const heights = Array.from({ length: steps + 1 }, (_, index) => top + (index / steps) * height)
  const right = heights.map((y) => `${round(20 + halfWidth(y))} ${round(y)}`)
  const left = heights.toReversed().map((y) => `${round(20 - halfWidth(y))} ${round(y)}`)
  return `M${[...right, ...left].join('L')}z`
}

/** Half the width of the shell at a height. */
function halfWidth(y: number): number {
  if (y <= 2 || y >= 38) return 0
  if (y >= 24) return 14.5 * Math.sqrt(1 - ((y - 24) / 14) ** 2)
  // The height rises along the curve of the side, so that halving finds its place.
  let [low, high] = [0, 1]
  for (let turn = 0; turn < 20; turn++) {
    const middle = (low + high) / 2
    if (curve(middle, 2, 2, 14.5, 24) < y) low = middle
    else high = middle
  }
  return curve(low, 0, 8, 14.5, 14.5)
}

function curve(t: number, a: number, b: number, c: number, d: number): number {
  const s = 1 - t
  return s ** 3 * a + 3 * s * s * t * b + 3 * s * t * t * c + t ** 3 * d
}

// Two halves of an ellipse, so that one path holds all spots: few elements are drawn much faster than many.
function ellipse(x: number, y: number, rx: number, ry: number, turn: number): string {
  const angle = (turn * Math.PI) / 180
  const [dx, dy] = [rx * Math.cos(angle), rx * Math.sin(angle)]
  const arc = `a${round(rx)} ${round(ry)} ${round(turn)} 1 0 `
  return `M${round(x - dx)} ${round(y - dy)}${arc}${round(2 * dx)} ${round(2 * dy)}${arc}${round(-2 * dx)} ${round(-2 * dy)}z`
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100)
}

// FNV-1a seeds mulberry32: small, and the same for a name on every machine.
function createRandom(name: string): Random {
  let state = 2_166_136_261
  for (const character of name) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
