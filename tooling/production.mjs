// npm run production: puts the built program and only what it needs to run into dist-production, to be copied to the
// machine that runs it. Uses the installed packages, so it fits this kind of machine and needs no network.
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findPackages, isForeignFile, isForThisMachine } from './production-packages.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
// The service, and the CLI for its operator.
const PROGRAMS = ['server', 'cli']
const BESIDES = [
  'server/migrations',
  'web/dist',
  'docs/errors.md',
  'docs/guide',
  '.env.example',
  'LICENSE',
  'CHANGELOG.md',
]
const SCRIPTS = {
  start: 'node server/dist/main.js',
  operate: 'node server/dist/operate.js',
  reembed: 'node server/dist/reembed.js',
}

/** Recreates the folder. */
export function makeProduction(folder) {
  const { packages, workspaces } = findPackages(ROOT, PROGRAMS)
  rmSync(folder, { recursive: true, force: true })
  const { name, version, description, license, type, engines } = readJson(join(ROOT, 'package.json'))
  writeJson(join(folder, 'package.json'), {
    ...{ name, version, private: true, description, license, type, engines },
    bin: { 'rookery-operate': 'server/dist/operate.js' },
    scripts: SCRIPTS,
  })
  for (const workspace of workspaces) {
    const { devDependencies: _, scripts: __, ...rest } = readJson(join(ROOT, workspace, 'package.json'))
    writeJson(join(folder, workspace, 'package.json'), rest)
    copy(join(workspace, 'dist'), folder, (compiled) => hasSource(workspace, compiled))
    link(join(folder, workspace), join(folder, 'node_modules', rest.name))
  }
  for (const path of [...BESIDES, ...packages.filter((path) => isForThisMachine(path))]) copy(path, folder)
}

/** Bytes of all files in a folder. */
export function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** Whether a compiled file has a source: the compiler leaves those of files that were renamed or removed. The bundle is made anew. */
function hasSource(workspace, compiled) {
  if (compiled.startsWith('bundle')) return true
  const name = compiled.replace(/(\.d)?\.[jt]s(\.map)?$/, '')
  if (name === compiled) return true
  return ['src', 'ts'].some((sources) => existsSync(join(ROOT, workspace, sources, `${name}.ts`)))
}

function copy(path, folder, isCurrent = () => true) {
  const from = join(ROOT, path)
  const isWanted = (file) => {
    const inside = relative(from, file)
    // Nested packages are copied separately, if they are needed.
    return (
      !inside.split(sep).includes('node_modules') && !isForeignFile(file) && !isForTools(inside) && isCurrent(inside)
    )
  }
  cpSync(from, join(folder, path), { recursive: true, mode: constants.COPYFILE_FICLONE, filter: isWanted })
}

/** What only compilers and debuggers read. */
function isForTools(path) {
  return /\.(d\.[mc]?ts|map)$/.test(path)
}

function link(target, place) {
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(relative(dirname(place), target), place, 'junction')
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function writeJson(file, content) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = join(ROOT, 'dist-production')
  makeProduction(folder)
  console.log(
    `dist-production has ${Math.round(sizeOf(folder) / 1e6)} MB. Copy it to the machine that runs it and use npm start there.`,
  )
}
