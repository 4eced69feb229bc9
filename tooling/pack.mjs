// npm run pack: makes the packages that people install, @rookery/sdk and @rookery/cli, in dist-packages. The private workspaces
// that they import are put inside, so that all their dependencies are public ones.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findModules, mapImports } from './module-graph.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
/** The packages that are published. */
export const PUBLISHED = ['sdk', 'cli']
// Callers bring their own: their accounts are passed to us, so both should use the same copy.
const SHARED_WITH_CALLERS = ['viem']
const CODE = /\.(js|d\.ts|map|tsbuildinfo)$/

/** Makes the package of a workspace in a folder; returns its archive and the list of its files. */
export function pack(workspace, destination) {
  const staging = mkdtempSync(join(tmpdir(), 'rookery-pack-'))
  try {
    assemble(workspace, staging)
    mkdirSync(destination, { recursive: true })
    const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination]
    const [{ filename, files, size }] = JSON.parse(
      execFileSync('npm', options, { cwd: staging, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    )
    return { archive: join(destination, filename), size, files: files.map(({ path, size }) => ({ path, size })) }
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function assemble(folder, staging) {
  const workspaces = readWorkspaces()
  const own = workspaces.find((workspace) => workspace.folder === folder)
  const included = [own, ...dependenciesOf(own, workspaces)]
  const entries = [...Object.values(own.exports ?? {}).map((it) => it.default), ...Object.values(own.bin ?? {})]
  const paths = entries.map((path) => join(folder, path))
  const { files, imports } = findModules(ROOT, workspaces, paths, { types: own.exports !== undefined })
  const place = (file) => (file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : join('workspaces', file))

  for (const [file, { text, targets }] of files) {
    const linked = mapImports(text, (name) => {
      const target = targets.get(name)
      return target === undefined || name.startsWith('.') ? name : pathBetween(place(file), place(target))
    })
    write(join(staging, place(file)), linked.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''))
  }
  for (const { folder: inside, name, version, type } of included.slice(1)) {
    // Bundlers read sideEffects from the nearest manifest.
    const manifest = { name, version, private: true, type, sideEffects: false }
    write(join(staging, 'workspaces', inside, 'package.json'), json(manifest))
  }
  for (const { folder: from } of included)
    for (const file of findResources(from)) copy(file, join(staging, place(file)))
  write(join(staging, 'package.json'), json(manifestOf(own, included, imports)))
  copy(join(folder, 'README.md'), join(staging, 'README.md'))
  copy('LICENSE', join(staging, 'LICENSE'))
}

function manifestOf(
  { name, version, description, license, keywords, type, sideEffects, exports, bin },
  included,
  imports,
) {
  const { engines } = readJson('package.json')
  const published = Object.fromEntries(
    Object.entries(exports ?? {}).map(([path, { source: _, ...conditions }]) => [path, conditions]),
  )
  const content = bin ? { bin } : { exports: { ...published, './package.json': './package.json' } }
  return {
    ...{ name, version, description, license, keywords, type, sideEffects, engines },
    ...content,
    dependencies: mergeDependencies(included, imports),
    publishConfig: { access: 'public' },
  }
}

/** The public dependencies of all parts; each import has to be one of them. */
function mergeDependencies(included, imports) {
  const merged = new Map()
  for (const { folder, dependencies = {} } of included) {
    for (const [name, version] of Object.entries(dependencies)) {
      if (name.startsWith('@rookery/')) continue
      if (merged.has(name) && merged.get(name) !== version)
        throw new Error(`${folder} needs ${name} ${version}, and another part needs ${merged.get(name)}`)
      merged.set(name, version)
    }
  }
  const missing = imports.filter((name) => !merged.has(name))
  if (missing.length > 0) throw new Error(`${included[0].folder} imports ${missing.join(', ')}, which no part declares`)
  const range = (name, version) => (included[0].exports && SHARED_WITH_CALLERS.includes(name) ? `^${version}` : version)
  return Object.fromEntries([...merged].sort().map(([name, version]) => [name, range(name, version)]))
}

/** The workspaces that one needs at run time, directly or through others. */
function dependenciesOf(own, workspaces, found = new Set()) {
  for (const name of Object.keys(own.dependencies ?? {})) {
    const workspace = workspaces.find((one) => one.name === name)
    if (!workspace || found.has(workspace)) continue
    found.add(workspace)
    dependenciesOf(workspace, workspaces, found)
  }
  return [...found]
}

/** What a workspace reads at run time besides its code. */
function findResources(folder) {
  const dist = join(ROOT, folder, 'dist')
  if (!existsSync(dist)) throw new Error(`${folder} is not built: run npm run build`)
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !CODE.test(entry.name))
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)))
}

function readWorkspaces() {
  return readJson('package.json').workspaces.map((folder) => ({ folder, ...readJson(join(folder, 'package.json')) }))
}

function pathBetween(from, to) {
  const path = relative(dirname(from), to)
    .replaceAll('\\', '/')
    .replace(/\.d\.ts$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}

function readJson(file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

function write(file, content) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(join(ROOT, from), to)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', ...PUBLISHED], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const destination = join(ROOT, 'dist-packages')
  rmSync(destination, { recursive: true, force: true })
  for (const workspace of PUBLISHED) {
    const { archive, size, files } = pack(workspace, destination)
    console.log(`${relative(ROOT, archive)}: ${files.length} files, ${Math.round(size / 1000)} kB`)
    for (const file of files) console.log(`  ${String(file.size).padStart(8)}  ${file.path}`)
  }
}
