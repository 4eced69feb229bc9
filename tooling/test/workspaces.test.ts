import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findImports, type Import } from '../src/imports.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Manifest {
  readonly name: string
  readonly workspaces: readonly string[]
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest
const workspaces = manifestOf('').workspaces.map((folder) => ({ folder, ...manifestOf(folder) }))

/** The imports of a workspace, each with its file. */
function importsOf(folder: string): Import[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tsx?|m[jt]s)$/.test(path) && !/(^|\/)(node_modules|dist[^/]*)\//.test(path))
    .map((path) => join(folder, path))
    .flatMap((path) => findImports({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

describe.each(workspaces)('$folder', ({ folder, dependencies, devDependencies }) => {
  const imports = importsOf(folder)
  const declared = Object.keys({ ...dependencies, ...devDependencies })

  test('reaches no other workspace by a path, except for build output', () => {
    const others = workspaces.filter((other) => other.folder !== folder)
    const isOutside = (path: string) => others.some((other) => path.startsWith(`${other.folder}/`))
    expect(imports.filter(({ target }) => isOutside(target) && !target.includes('/dist/'))).toEqual([])
  })

  test('imports only workspaces that it declares, and only what they export', () => {
    const isExported = (name: string) =>
      workspaces.some((other) =>
        Object.keys(other.exports ?? {}).some(
          (path) => name === join(other.name, path) && declared.includes(other.name),
        ),
      )
    expect(imports.filter(({ target }) => target.startsWith('@rookery/') && !isExported(target))).toEqual([])
  })
})

test('workspaces do not depend on each other in a circle', () => {
  const dependsOn = new Map(workspaces.map(({ name, dependencies }) => [name, Object.keys(dependencies ?? {})]))
  const isInCircle = (name: string, start: string, seen = new Set<string>()): boolean =>
    (dependsOn.get(name) ?? []).some((next) => {
      if (next === start) return true
      if (seen.has(next)) return false
      seen.add(next)
      return isInCircle(next, start, seen)
    })
  expect([...dependsOn.keys()].filter((name) => isInCircle(name, name))).toEqual([])
})
