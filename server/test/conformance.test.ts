import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { specifiedEndpoints } from './conformance/endpoints.js'
import { specification } from './conformance/specification.js'

const root = new URL('../../', import.meta.url)

/** The full names of the tests in a source, `describe › title`, as they are written there. */
function testNames(source: string): string[] {
  const opening = /^( *)(describe|test|it)((?:\.\w+)*)\b/gm
  const title = /\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/y
  const names: string[] = []
  const around: { indent: number; title: string; isOff: boolean }[] = []
  for (const match of source.matchAll(opening)) {
    const [whole, spaces = '', kind, modifiers = ''] = match
    let from = match.index + whole.length
    // The title of a table of cases comes after the table.
    if (modifiers.includes('.each')) from = endOfCall(source, from)
    title.lastIndex = from
    const found = title.exec(source)?.[2]?.replace(/\\(.)/g, '$1')
    if (found === undefined) continue
    while (around.length > 0 && (around.at(-1)?.indent ?? 0) >= spaces.length) around.pop()
    const isOff = /\.(skip|todo|fails)/.test(modifiers) || (around.at(-1)?.isOff ?? false)
    if (kind === 'describe') around.push({ indent: spaces.length, title: found, isOff })
    else if (!isOff) names.push([...around.map((it) => it.title), found].join(' › '))
  }
  return names
}

/** The index after the parenthesis that closes the one at `from`, strings left aside. */
function endOfCall(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    const character = source[at] ?? ''
    if (/['"`]/.test(character)) {
      for (at++; at < source.length && source[at] !== character; at++) if (source[at] === '\\') at++
    } else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return source.length
}

const lines = specification.flatMap(({ number, lines }) => lines.map(([line, ...tests]) => ({ number, line, tests })))

describe('the table of the specification', () => {
  test('has a test for every line', () => {
    expect(lines.length).toBeGreaterThan(200)
    expect(lines.filter(({ tests }) => tests.length === 0).map(({ line }) => line)).toEqual([])
  })

  test('names only tests that exist', async () => {
    const files = new Map<string, string[]>()
    const missing: string[] = []
    for (const name of new Set(lines.flatMap(({ tests }) => tests))) {
      const [file = '', ...titles] = name.split(' › ')
      const names = files.get(file) ?? testNames(await readFile(new URL(file, root), 'utf8').catch(() => ''))
      files.set(file, names)
      if (!names.includes(titles.join(' › '))) missing.push(name)
    }
    expect(missing).toEqual([])
  })

  test('has every endpoint once, in its section', () => {
    const rows = lines.flatMap(({ number, line }) => {
      const [, call] = line.match(/^`(\w+ \/\S+)` /) ?? []
      return call === undefined ? [] : [`${number} ${call}`]
    })
    expect(rows).toEqual(specifiedEndpoints.map(({ section, method, path }) => `${section} ${method} ${path}`))
    expect(rows).toHaveLength(68)
  })

  test('has a line once', () => {
    const all = lines.map(({ number, line }) => `${number} ${line}`)
    expect(all.filter((line, index) => all.indexOf(line) !== index)).toEqual([])
  })

  test('would notice a test that is gone, renamed or skipped', () => {
    const source = [
      "describe('a', () => {",
      "  test('b', () => {})",
      "  test.each([['(', 1]])('c %s', () => {})",
      "  test.skip('d', () => {})",
      '})',
      "test('it’s e', () => {})",
      "describe.skip('f', () => {",
      "  describe('g', () => {",
      "    test('h', () => {})",
      '  })',
      '})',
    ].join('\n')
    expect(testNames(source)).toEqual(['a › b', 'a › c %s', 'it’s e'])
  })
})
