import { describe, expect, test } from 'vitest'
import { readCorpus } from '../evaluation/corpus.js'
import { judge } from '../evaluation/measure.js'
import { commandRules } from './commands.js'
import { persuasionRules } from './persuasion.js'
import { scanSkill } from './scan.js'
import { secretRules } from './secrets.js'

const rules = [...commandRules, ...secretRules, ...persuasionRules]

// What a text can have very many of, in a row or between words: each class of characters that expressions repeat.
const RUNS = [
  ...['_', 'a', '1', '7', 'a_', 'a-', '-', '.', 'a.', '.a/', '/', '/.a', ' ', '\t', '\n', 'a ', '-a ', '.exe'],
  ...['"', "'", '`', '“', '@', '>', '> ', '|', ';', ':', '=', '#', '(', '(a', '[', '<', '%41', '$', '\\'],
  ...['\u0301', 'я', '\u200B', ', '],
]
const ROUNDS = 3

/** Every regular expression that a scan applies to a text. */
async function listApplied(): Promise<RegExp[]> {
  const applied = new Map<string, RegExp>()
  const add = ({ source, flags }: RegExp) =>
    applied.set(`${source} ${flags.replace(/[gy]/g, '')}`, new RegExp(source, `${flags.replace(/[gy]/g, '')}g`))
  const { exec } = RegExp.prototype
  const seen = new Set<string>()
  // All methods of strings and expressions call this one.
  RegExp.prototype.exec = function (text) {
    if (!seen.has(this.source)) {
      seen.add(this.source)
      if (new Error().stack?.includes('/skill-scan/src/')) add(this)
    }
    return exec.call(this, text)
  }
  try {
    await judge(await readCorpus())
    const everyHint = rules.flatMap(({ hints }) => hints).join(' ')
    await scanSkill({ name: 'é', description: '', document: everyHint }, { popular: ['e'], platform: 'R' }, () => false)
  } finally {
    RegExp.prototype.exec = exec
  }
  for (const { patterns, requires, mitigatedBy } of rules)
    for (const pattern of [...patterns, requires, mitigatedBy]) if (pattern) add(pattern)
  return [...applied.values()]
}

/** Creates a function that lists the words and signs that lead a text to each repetition without a bound. */
function createWordFinder(): (expression: RegExp) => string[] {
  // Expressions have parts in common, and each part is led to once.
  const seen = new Set<string>()
  return ({ source }) => {
    const ends = Array.from(source.matchAll(/(?<!\\)[*+]|\{\d+,\}/g), ({ index }) => index)
    const before = ends.flatMap((end) => {
      const part = `${source.slice(Math.max(0, end - NEAR), end)} ${source.slice(end, end + NEAR / 4)}`
      return seen.has(part) ? [] : [seen.add(part) && source.slice(Math.max(0, end - NEAR), end)]
    })
    const bare = before
      .join('|')
      .replace(/\\s[*+?]?/g, ' ')
      .replace(/\\b/g, '')
      .replace(/\\[a-z](?:\{[^}]*\}|[0-9a-f]{2,4})?|\{\d+(?:,\d*)?\}|\(\?(?:[:=!]|<[=!]|<\w+>)/gi, '|')
      .match(/(?:[\p{Letter}\d_@~#%&=:;<>!,'"`/ -]|\\[^\w\s])+/gu)
    return [...new Set(['', ...(bare ?? []).map((word) => word.replaceAll('\\', ''))])]
  }
}
const NEAR = 200

function* textsOf({ source }: RegExp, words: readonly string[]): Generator<(length: number) => string> {
  const letters = Array.from(source.matchAll(/\[([a-z0-9])[a-z0-9]{0,5}\]/gi), ([, letter = '']) => letter)
  for (const word of words)
    for (const run of [...RUNS, ...new Set(letters)]) {
      yield (length) => `${word}${run.repeat(length / run.length)}\u0000`
      yield (length) => `${word}${run}`.repeat(length / (word.length + run.length))
    }
}

/** How long it takes to find all matches, at best. */
function msFor(expression: RegExp, text: string, rounds = ROUNDS): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    for (const { index } of text.matchAll(expression)) if (index > text.length) break
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

/**
 * Whether eight times the text takes about eight times as long. A repetition within a repetition takes 64 times as long, and seconds
 * for a text that otherwise takes less than a millisecond: what is fast is not measured any further.
 */
function growsWithLength(expression: RegExp, textOf: (length: number) => string): boolean {
  const ms = (length: number) => msFor(expression, textOf(length))
  const isFast = (length: number, most: number) => msFor(expression, textOf(length), 1) < most || ms(length) < most
  // What is very fast in a short text cannot take hours in the next one.
  const isVeryFast = msFor(expression, textOf(100), 1) < 0.1
  if (!isVeryFast && (!isFast(100, 20) || !isFast(500, 100))) return false
  // A repetition within a repetition takes eight million steps here, and no machine takes them in a millisecond.
  if (isFast(4_000, 1)) return true
  for (let round = 0; round < ROUNDS; round++) if (ms(16_000) < 24 * ms(2_000)) return true
  return false
}

/** The start of a text that takes an expression too long. */
function findSlowText(expression: RegExp, words: readonly string[]): string | undefined {
  for (const textOf of textsOf(expression, words)) if (!growsWithLength(expression, textOf)) return textOf(40)
  return undefined
}

const applied = await listApplied()
const findWords = createWordFinder()

describe('a regular expression', () => {
  test.each([
    /ask\w*[\s_]{1,6}(?:\w+[\s_]{1,6}){0,2}off\b/gi,
    />\s*\S*(?:\.log|_history)\b/gi,
    /\b[\w-]+(?:\.[\w-]+)+\//gi,
    /\bcurl\b[^\n]{0,30}@\S+:/gi,
    /\bwithout\s+(?:any)?\s*consent\b/gi,
    /\brm\s+-\w*[rf]\w*\s/gi,
  ])('is caught when it takes longer than in proportion: %s', (expression) => {
    expect(findSlowText(expression, createWordFinder()(expression))).toBeDefined()
  })

  test('is known here when the scan applies it', () => {
    expect(applied.length).toBeGreaterThan(150)
  })

  test.each(applied.map((expression) => ({ expression, words: findWords(expression) })))(
    'of the scan takes time in proportion to the text: $expression',
    ({ expression, words }) => {
      expect(findSlowText(expression, words)).toBeUndefined()
    },
    120_000,
  )
})
