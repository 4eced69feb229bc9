import { createHash } from 'node:crypto'

/** Numbers from 0 to 1 that look like chance and are the same for the same text. */
export type Chance = () => number

export function createChance(text: string): Chance {
  let state = createHash('sha256').update(text).digest().readUInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function between(chance: Chance, from: number, to: number): number {
  return from + chance() * (to - from)
}

export function oneOf<T>(chance: Chance, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(chance() * choices.length)] ?? choices[0]
}

/** A hilly line from 0 to 1 in height: waves of halving size on top of each other. */
export function createHills(chance: Chance, roughness: number): (x: number) => number {
  const waves = Array.from({ length: 6 }, (_, octave) => ({
    length: 2 ** octave,
    phase: chance() * Math.PI * 2,
    height: roughness ** octave,
  }))
  const total = waves.reduce((sum, { height }) => sum + height, 0)
  return (x) => {
    const sum = waves.reduce((all, { length, phase, height }) => all + height * Math.sin(x * length + phase), 0)
    return 0.5 + sum / total / 2
  }
}
