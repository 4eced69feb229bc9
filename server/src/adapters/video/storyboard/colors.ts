import { between, type Chance } from './chance.js'

/** Red, green and blue, 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number]

/** The colours of a scene. */
export interface Palette {
  /** From the top to the horizon. */
  readonly sky: readonly [Color, Color, Color]
  /** Of the sun, the moon, lit windows. */
  readonly light: Color
  /** Of what stands near, before distance pales it. */
  readonly land: Color
  readonly water: Color
}

/** The light in which a scene is seen. */
export type Mood = 'dawn' | 'day' | 'sunset' | 'night' | 'storm' | 'space'

const hex = (text: string): Color => [0, 2, 4].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as [0, 0, 0]

const palette = (sky: string, light: string, land: string, water: string): Palette => {
  const [top = '', middle = '', horizon = ''] = sky.split(' ')
  return { sky: [hex(top), hex(middle), hex(horizon)], light: hex(light), land: hex(land), water: hex(water) }
}

const moods: Readonly<Record<Mood, Palette>> = {
  dawn: palette('243b6b c07d9a ffd8ab', 'fff0d4', '3b3a5e', '55709c'),
  day: palette('2475c8 7fc0ec e4f3f7', 'fffbe8', '2f6150', '1f79a5'),
  sunset: palette('2a1a52 c24a6d ffb661', 'ffe0a8', '2b1a3d', '6a3563'),
  night: palette('040920 0e2150 2f528a', 'f7f2dc', '0a1230', '0d274f'),
  storm: palette('171d26 3d4a57 8f9ca5', 'dfe8ee', '1c252c', '30424e'),
  space: palette('02020a 0a0a2b 23124f', 'fdf4e3', '120c2e', '0b1140'),
}

const words: Readonly<Record<string, Color>> = {
  red: hex('e5383b'),
  crimson: hex('b3122f'),
  orange: hex('ff8c32'),
  gold: hex('ffc83d'),
  golden: hex('ffc83d'),
  yellow: hex('ffd93d'),
  green: hex('3fae5a'),
  emerald: hex('1f9d6b'),
  teal: hex('16a3a3'),
  turquoise: hex('2cc6c0'),
  blue: hex('2f6fed'),
  indigo: hex('4336b8'),
  purple: hex('8a3ffc'),
  violet: hex('8a4fff'),
  pink: hex('ff6fae'),
  magenta: hex('d6318f'),
  white: hex('ffffff'),
  black: hex('0b0b12'),
  neon: hex('ff2fd0'),
}

/** Colours for a mood, a little different for every prompt, and turned towards the colour that it names. */
export function createPalette(mood: Mood, prompt: readonly string[], chance: Chance): Palette {
  const base = moods[mood]
  const named = prompt.map((word) => words[word]).find((color) => color !== undefined)
  const shift = Array.from({ length: 3 }, () => between(chance, -10, 10)) as [number, number, number]
  const own = (color: Color, share: number): Color => {
    const moved = color.map((part, index) => clamp(part + (shift[index] ?? 0))) as [number, number, number]
    return named ? mix(moved, named, share) : moved
  }
  return {
    sky: [own(base.sky[0], 0.18), own(base.sky[1], 0.42), own(base.sky[2], 0.3)],
    light: own(base.light, 0.12),
    land: own(base.land, 0.12),
    water: own(base.water, 0.25),
  }
}

/** A colour between two: 0 is the first, 1 the second. */
export function mix(from: Color, to: Color, share: number): Color {
  return from.map((part, index) => part + ((to[index] ?? 0) - part) * share) as [number, number, number]
}

export function css([red, green, blue]: Color, opacity = 1): string {
  return `rgba(${Math.round(red)}, ${Math.round(green)}, ${Math.round(blue)}, ${opacity})`
}

function clamp(part: number): number {
  return Math.min(255, Math.max(0, part))
}
