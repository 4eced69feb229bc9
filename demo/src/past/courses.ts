/** How the demand for an agent's shares goes over the time since its launch. */
export type Course =
  | 'riser'
  | 'crash'
  | 'bleeder'
  | 'sideways'
  | 'wave'
  | 'recovery'
  | 'newcomer'
  | 'slow climber'
  | 'hardly traded'

interface Shape {
  /** Trades a day. */
  readonly rate: number
  /** Shares in circulation at parts of the time from launch to today. */
  readonly supply: readonly (readonly [part: number, shares: number])[]
}

const shapes: Readonly<Record<Course, Shape>> = {
  riser: {
    rate: 1.2,
    supply: [
      [0, 3],
      [0.3, 9],
      [0.6, 20],
      [0.85, 37],
      [1, 58],
    ],
  },
  crash: {
    rate: 1.05,
    supply: [
      [0, 3],
      [0.35, 30],
      [0.58, 52],
      [0.62, 50],
      [0.68, 15],
      [0.8, 11],
      [1, 9],
    ],
  },
  bleeder: {
    rate: 0.68,
    supply: [
      [0, 4],
      [0.15, 34],
      [0.4, 28],
      [0.7, 18],
      [1, 10],
    ],
  },
  sideways: {
    rate: 0.68,
    supply: [
      [0, 4],
      [0.15, 15],
      [0.4, 18],
      [0.6, 14],
      [0.8, 19],
      [1, 17],
    ],
  },
  wave: {
    rate: 0.75,
    supply: [
      [0, 3],
      [0.25, 23],
      [0.45, 10],
      [0.7, 28],
      [1, 19],
    ],
  },
  recovery: {
    rate: 0.83,
    supply: [
      [0, 3],
      [0.3, 26],
      [0.45, 9],
      [0.75, 17],
      [1, 33],
    ],
  },
  newcomer: {
    rate: 2.17,
    supply: [
      [0, 3],
      [0.5, 10],
      [1, 24],
    ],
  },
  'slow climber': {
    rate: 0.38,
    supply: [
      [0, 2],
      [0.5, 8],
      [1, 14],
    ],
  },
  'hardly traded': {
    rate: 0.15,
    supply: [
      [0, 2],
      [0.3, 5],
      [1, 6],
    ],
  },
}

/** Trades a day of shares on a course. */
export function tradesPerDay(course: Course): number {
  return shapes[course].rate
}

/** How many shares people would hold at a part of the time from launch to today. */
export function wantedSupply(course: Course, part: number): number {
  const { supply } = shapes[course]
  const next = supply.findIndex(([at]) => at >= part)
  const [to, from] = [supply[next] ?? supply.at(-1), supply[next - 1]]
  if (!to) return 0
  if (!from) return to[1]
  return from[1] + ((part - from[0]) / (to[0] - from[0])) * (to[1] - from[1])
}
