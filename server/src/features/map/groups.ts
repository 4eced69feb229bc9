import { createRandom } from './random.js'

/** The group of a text without meaning. */
export const NO_GROUP = -1

const MOST_STEPS = 40
const ATTEMPTS = 4
/** Above this many vectors, one attempt takes seconds. */
const MANY = 2_000
/** Groups whose directions are more similar than this are about the same. */
const SAME = 0.5
const SMALL_SHARE = 0.01

/**
 * Groups vectors by direction (spherical k-means). The same vectors always give the same groups. Groups of an earlier time
 * keep their number as long as most of their members do.
 */
export function groupVectors(
  vectors: readonly (Float32Array | undefined)[],
  mostGroups: number,
  earlier: readonly (number | undefined)[] = [],
): Int16Array {
  const groupOf = new Int16Array(vectors.length).fill(NO_GROUP)
  const places = vectors.flatMap((vector, place) => (vector ? [place] : []))
  if (places.length === 0) return groupOf
  const points = centre(places.map((place) => vectors[place] as Float32Array))
  const kept = meansOf(
    points,
    places.map((place) => earlier[place] ?? NO_GROUP),
  )
  const grouped = bestOf(points, kept, countGroups(points.length, mostGroups))
  places.forEach((place, index) => {
    groupOf[place] = grouped.groupOf[index] ?? NO_GROUP
  })
  return groupOf
}

/** More texts have more to tell apart, up to a number of colours that can be told apart. */
function countGroups(size: number, most: number): number {
  return Math.max(1, Math.min(most, Math.ceil(Math.sqrt(size / 4))))
}

interface Grouped {
  readonly groupOf: Int16Array
  readonly centres: readonly Float32Array[]
  /** How near points are to the centre of their group, summed up. */
  readonly nearness: number
}

function bestOf(points: readonly Float32Array[], kept: readonly Float32Array[], count: number): Grouped {
  const random = createRandom('groups')
  const attempts = Array.from({ length: points.length > MANY ? 1 : ATTEMPTS }, () =>
    settle(points, addCentres(points, kept, count, random)),
  )
  const best = attempts.reduce((best, attempt) => (attempt.nearness > best.nearness + 1e-9 ? attempt : best))
  const merged = mergeCentres(dropSmall(best))
  return merged.length < best.centres.length ? settle(points, merged) : best
}

/** A group of hardly anybody is no group: its members join those that are nearest. */
function dropSmall({ groupOf, centres }: Grouped): Float32Array[] {
  const least = Math.max(2, groupOf.length * SMALL_SHARE)
  const sizes = centres.map((_, group) => groupOf.filter((it) => it === group).length)
  const large = centres.filter((_, group) => (sizes[group] ?? 0) >= least)
  return large.length > 0 ? large : centres.slice(0, 1)
}

/** Two groups that point in nearly the same direction are one. */
function mergeCentres(centres: readonly Float32Array[]): Float32Array[] {
  const merged: Float32Array[] = []
  for (const centre of centres) {
    const { group, similarity } = nearestOf(centre, merged)
    if (similarity < SAME) merged.push(centre)
    else merged[group] = unit(sumOf([merged[group] as Float32Array, centre]))
  }
  return merged
}

/** Moves points to the nearest centre and centres to the middle of their points, until nothing moves. */
function settle(points: readonly Float32Array[], centres: readonly Float32Array[]): Grouped {
  const groupOf = new Int16Array(points.length).fill(NO_GROUP)
  let current = centres
  for (let step = 0; ; step++) {
    let moved = 0
    let nearness = 0
    points.forEach((point, index) => {
      const { group, similarity } = nearestOf(point, current)
      nearness += similarity
      if (groupOf[index] !== group) moved++
      groupOf[index] = group
    })
    if (moved === 0 || step === MOST_STEPS) return { groupOf, centres: current, nearness }
    const groups = [...groupOf]
    current = current.map((centre, group) => meanOf(points.filter((_, index) => groups[index] === group)) ?? centre)
  }
}

function nearestOf(point: Float32Array, centres: readonly Float32Array[]): { group: number; similarity: number } {
  let group = 0
  let similarity = Number.NEGATIVE_INFINITY
  centres.forEach((centre, index) => {
    const product = dot(point, centre)
    if (product > similarity) [group, similarity] = [index, product]
  })
  return { group, similarity }
}

/** Adds centres up to a number. Each is likely to be far from those before (k-means++). */
function addCentres(
  points: readonly Float32Array[],
  kept: readonly Float32Array[],
  count: number,
  random: () => number,
): Float32Array[] {
  const centres = kept.length > 0 ? [...kept] : [points[Math.floor(random() * points.length)] as Float32Array]
  const distances = points.map((point) => farFrom(nearestOf(point, centres).similarity))
  while (centres.length < count) {
    let left = random() * distances.reduce((sum, distance) => sum + distance, 0)
    const chosen = distances.findIndex((distance) => {
      left -= distance
      return distance > 0 && left <= 0
    })
    if (chosen < 0) break
    const newest = points[chosen] as Float32Array
    centres.push(newest)
    points.forEach((point, index) => {
      distances[index] = Math.min(distances[index] as number, farFrom(dot(point, newest)))
    })
  }
  return centres
}

const farFrom = (similarity: number) => Math.max(0, 1 - similarity) ** 2

/** What all texts have in common says nothing about any of them, so it is taken away. */
export function centre(vectors: readonly Float32Array[]): Float32Array[] {
  const units = vectors.map(unit)
  if (units.length < 3) return units
  const common = sumOf(units).map((sum) => sum / units.length)
  return units.map((vector) => unit(vector.map((value, index) => value - (common[index] as number))))
}

function meansOf(points: readonly Float32Array[], groups: readonly number[]): Float32Array[] {
  const count = Math.max(NO_GROUP, ...groups) + 1
  return Array.from({ length: count }, (_, group) =>
    meanOf(points.filter((_, index) => groups[index] === group)),
  ).flatMap((mean) => mean ?? [])
}

export function meanOf(points: readonly Float32Array[]): Float32Array | undefined {
  return points.length === 0 ? undefined : unit(sumOf(points))
}

function sumOf(points: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(points[0]?.length ?? 0)
  for (const point of points)
    for (let index = 0; index < sum.length; index++) sum[index] = (sum[index] as number) + (point[index] as number)
  return sum
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector))
  return length === 0 ? vector : vector.map((value) => value / length)
}

export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += (one[index] as number) * (other[index] as number)
  return sum
}
