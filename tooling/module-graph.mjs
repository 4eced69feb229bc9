// Which compiled files of which workspaces an entry needs, types included.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const NAMES = String.raw`(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+(?:\s*,\s*\{[^}]*\})?)`
// At the beginning of a line, so that examples in comments do not count.
const SPECIFIER = new RegExp(
  String.raw`(^(?:import|export)\s+(?:type\s+)?${NAMES}\s+from\s+|^import\s+|\bimport\(\s*)(['"])([^'"\n]+)\2`,
  'gm',
)

/** Replaces what a compiled file imports. */
export function mapImports(text, map) {
  return text.replaceAll(SPECIFIER, (_, before, quote, name) => `${before}${quote}${map(name)}${quote}`)
}

/**
 * Finds every compiled file that the entries reach, as paths from the top of the repository; `imports` has the public packages
 * they name, without their paths inside. Without `types`, declarations are left out. Workspaces are objects with `folder`, `name` and `exports`.
 */
export function findModules(root, workspaces, entries, { types }) {
  const files = new Map()
  const imports = new Set()
  const waiting = [...entries]
  for (const file of waiting) {
    if (files.has(file)) continue
    const text = readFileSync(join(root, file), 'utf8')
    const targets = new Map()
    mapImports(text, (name) => {
      const target = resolve(workspaces, file, name)
      if (target === undefined) imports.add(packageOf(name))
      else targets.set(name, target)
      return name
    })
    files.set(file, { text, targets })
    waiting.push(...targets.values())
    const declarations = file.replace(/\.js$/, '.d.ts')
    if (types && existsSync(join(root, declarations))) waiting.push(declarations)
  }
  return { files, imports: [...imports].filter((name) => !name.startsWith('node:')) }
}

function resolve(workspaces, file, name) {
  const isTypes = file.endsWith('.d.ts')
  if (name.startsWith('.')) return join(dirname(file), isTypes ? name.replace(/\.js$/, '.d.ts') : name)
  const workspace = workspaces.find((one) => name === one.name || name.startsWith(`${one.name}/`))
  if (!workspace) return undefined
  const exported = workspace.exports?.[`.${name.slice(workspace.name.length)}`]
  const target = exported?.[isTypes ? 'types' : 'default']
  if (!target) throw new Error(`${file} imports ${name}, which ${workspace.folder}/package.json does not export`)
  return join(workspace.folder, target)
}

function packageOf(name) {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}
