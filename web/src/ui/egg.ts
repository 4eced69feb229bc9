interface Speckle {
  readonly x: number
  readonly y: number
  readonly rx: number
  readonly ry: number
  readonly turn: number
  readonly tone: number
}

/** An egg derived from a name, in a square of 40: its ground colour, and a path of its spots for each tone. */
export interface Egg {
  readonly ground: number
  readonly speckles: readonly string[]
}

export const GROUNDS = 6
const TONES = 3

const eggs = new Map<string, Egg>()

export function layEgg(name: string): Egg {
  const cached = eggs.get(name)
  if (cached) return cached
  const random = createRandom(name)
  const ground = Math.floor(random() * GROUNDS)
  const count = 12 + Math.floor(random() * 14)
  const spots = Array.from({ length: count }, () => speckle(random))
  const speckles = Array.from({ length: TONES }, (_, tone) =>
    spots
      .filter((spot) => spot.tone === tone)
      .map(outline)
      .join(''),
  )
  const egg = { ground, speckles }
  eggs.set(name, egg)
  return egg
}

// Spots gather at the blunt end, as on a rook’s egg.
function speckle(random: () => number): Speckle {
  const angle = random() * 2 * Math.PI
  const reach = Math.sqrt(random())
  const size = 0.5 + random() ** 3 * 2.2
  return {
    x: 20 + Math.cos(angle) * reach * 10.5,
    y: 25 + Math.sin(angle) * reach * (Math.sin(angle) < 0 ? 16 : 9.5),
    rx: size,
    ry: size * (0.6 + random() * 0.6),
    turn: Math.floor(random() * 180),
    tone: Math.floor(random() * TONES),
  }
}

// Two halves of an ellipse, so that one path holds all spots: few elements are drawn much faster than many.
function outline({ x, y, rx, ry, turn }: Speckle): string {
  const angle = (turn * Math.PI) / 180
  const [dx, dy] = [rx * Math.cos(angle), rx * Math.sin(angle)]
  const arc = `a${rx.toFixed(2)} ${ry.toFixed(2)} ${turn} 1 0 `
  const half = `${(2 * dx).toFixed(2)} ${(2 * dy).toFixed(2)}`
  const back = `${(-2 * dx).toFixed(2)} ${(-2 * dy).toFixed(2)}`
  return `M${(x - dx).toFixed(2)} ${(y - dy).toFixed(2)}${arc}${half}${arc}${back}z`
}

// FNV-1a seeds mulberry32: small, and the same for a name on every machine.
function createRandom(name: string): () => number {
  let state = 2_166_136_261
  for (const character of name) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
