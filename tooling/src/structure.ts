import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { floorOf, roomOf } from './floors.js'
import { findCircles, findImports, readSources } from './imports.js'
import { textTable } from './table.js'

// npm run structure [-- <checkout>]: how the server's files hang together, in figures.

const checkout = process.argv[2] ?? '.'
const sources = readSources(checkout, 'server/src')
const paths = new Set(sources.map(({ path }) => path))
const imports = sources.flatMap(findImports).filter(({ target }) => paths.has(target))
const lines = sources.map(({ text }) => text.split('\n').length - 1).sort((a, b) => a - b)
const quantile = (part: number) => lines[Math.floor((lines.length - 1) * part)] ?? 0
const between = imports
  .map(({ file, target, isType }) => ({ from: roomOf(file), to: roomOf(target), isType }))
  .filter(({ from, to }) => from !== to)
const edges = new Set(between.map(({ from, to }) => `${from} ${to}`))
const runtimeEdges = new Set(between.filter(({ isType }) => !isType).map(({ from, to }) => `${from} ${to}`))
const countMutual = (edges: ReadonlySet<string>) =>
  [...edges].filter((edge) => edges.has(edge.split(' ').reverse().join(' '))).length / 2
const split = (edges: ReadonlySet<string>) => [...edges].map((edge) => edge.split(' ') as [string, string])
const isUpward = (from: string, to: string) => (floorOf(from) ?? 0) < (floorOf(to) ?? 0)
const circles = findCircles(imports.map(({ file, target }) => [file, target]))

console.log(
  textTable(
    ['server/src', ''],
    [
      ['entries at the top', readdirSync(join(checkout, 'server/src')).length],
      ['rooms', new Set(sources.map(({ path }) => roomOf(path))).size],
      ['files', sources.length],
      ['lines', lines.reduce((sum, count) => sum + count, 0)],
      ['lines of a file: median, p90, most', `${quantile(0.5)}, ${quantile(0.9)}, ${quantile(1)}`],
      ['pairs of rooms that import each other', countMutual(edges)],
      ['… at run time', countMutual(runtimeEdges)],
      ['circles of rooms', findCircles(split(edges)).length],
      ['circles of files', circles.length],
      ['files in circles', circles.flat().length],
      ['imports that run up a floor', imports.filter(({ file, target }) => isUpward(file, target)).length],
    ],
  ),
)
