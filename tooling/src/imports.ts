import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** A source file of a checkout. */
export interface SourceFile {
  /** From the top of the checkout. */
  readonly path: string
  readonly text: string
}

/** One import or re-export. */
export interface Import {
  readonly file: string
  /** A path from the top of the checkout, or the name of a package. */
  readonly target: string
  /** Gone after compilation: it takes types and nothing else. */
  readonly isType: boolean
}

const TEST = /\.(test|contract)\.tsx?$/
const NAMES = String.raw`(\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+(?:\s*,\s*\{[^}]*\})?)`
const IMPORT = new RegExp(
  String.raw`^(?:import|export)\s+(type\s+)?${NAMES}\s+from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)`,
  'gm',
)

/** The TypeScript files below a folder, without tests and generated files. */
export function readSources(checkout: string, folder: string): SourceFile[] {
  return readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !TEST.test(path) && !path.includes('generated/'),
    )
    .map((path) => join(folder, path))
    .map((path) => ({ path, text: readFileSync(join(checkout, path), 'utf8') }))
}

export function findImports({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, names = '', from, bare, dynamic]) => {
    const name = from ?? bare ?? dynamic ?? ''
    const target = name.startsWith('.') ? normalize(join(dirname(path), name)).replace(/\.js$/, '.ts') : name
    return { file: path, target, isType: type !== undefined || takesTypesAlone(names) }
  })
}

function takesTypesAlone(names: string): boolean {
  const list = names
    .match(/^\{([^}]*)\}\s*$/)?.[1]
    ?.split(',')
    .map((name) => name.trim())
  return list?.every((name) => name === '' || name.startsWith('type ')) ?? false
}

/** Groups of nodes that reach each other; a single node is no group. */
export function findCircles(edges: readonly (readonly [string, string])[]): string[][] {
  const next = new Map<string, string[]>()
  for (const [from, to] of edges) {
    next.set(from, [...(next.get(from) ?? []), to])
    if (!next.has(to)) next.set(to, [])
  }
  const reachable = new Map([...next.keys()].map((node) => [node, reach(next, node)]))
  const circles = new Map<string, string[]>()
  for (const [node, reached] of reachable) {
    const circle = [...reached].filter((other) => reachable.get(other)?.has(node)).sort()
    if (circle.length > 1) circles.set(circle.join(), circle)
  }
  return [...circles.values()]
}

function reach(next: ReadonlyMap<string, readonly string[]>, start: string): Set<string> {
  const reached = new Set<string>()
  const open = [...(next.get(start) ?? [])]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    open.push(...(next.get(node) ?? []))
  }
  return reached
}
