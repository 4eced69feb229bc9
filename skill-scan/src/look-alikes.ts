import type { Finding } from './finding.js'
import { lookOf, spellingOf } from './letters.js'

const LONG = 10
const SHORTEST = 5

/** Checks whether a name can be confused with a popular item or with the platform. */
export function findLookAlikes(name: string, known: readonly string[], platform: string): Finding[] {
  const disguised = [platform, ...known].find((other) => isDisguised(name, other, other === platform))
  if (disguised !== undefined)
    return [finding('blocked', 'Its name imitates a known one with letters that only look like those.')]
  if (isMixedScript(name)) return [finding('warning', 'Its name mixes letters of several alphabets.')]
  const look = lookOf(name)
  if (known.some((other) => lookOf(other) === look)) return [finding('warning', 'A known item has the same name.')]
  const nearly = known.some((other) => isTypo(look, lookOf(other)))
  const words = name.split(/[^\p{Letter}\p{Number}]+/u)
  if (nearly || words.some((word) => isTypo(lookOf(word), lookOf(platform))))
    return [finding('warning', 'Its name is nearly that of a known item or of the platform.')]
  if (lookOf(name).includes(lookOf(platform)) && /\b(?:official|team|staff|support|verified|admin)\b/i.test(name))
    return [finding('warning', 'Its name claims to speak for the platform.')]
  return []
}

// Looks the same as the other name (or contains it, if that is the platform) but is spelt with other letters.
function isDisguised(name: string, other: string, isPlatform: boolean): boolean {
  const [look, target] = [lookOf(name), lookOf(other)]
  const [spelling, targetSpelling] = [spellingOf(name), spellingOf(other)]
  if (isPlatform) return look.includes(target) && !spelling.includes(targetSpelling)
  return look === target && spelling !== targetSpelling
}

function isMixedScript(name: string): boolean {
  return name
    .split(/[^\p{Letter}\p{Mark}]+/u)
    .some(
      (word) =>
        /\p{Script=Latin}/u.test(word) &&
        /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(word),
    )
}

function isTypo(one: string, other: string): boolean {
  if (one === other || Math.min(one.length, other.length) < SHORTEST) return false
  return distance(one, other) <= (other.length >= LONG ? 2 : 1)
}

// Counts letters that are added, lost, changed or swapped with their neighbour.
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = current
  }
  return at(last, other.length)
}

const at = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY

function finding(severity: Finding['severity'], message: string): Finding {
  return { rule: 'look-alike-name', severity, line: null, message }
}
