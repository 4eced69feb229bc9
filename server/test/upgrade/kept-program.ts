import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { findPackages } from '@rookery/tooling/production-packages'
import { MIGRATIONS } from '../../src/foundation/db/migrations.js'
import { KEPT_RELEASES, type KeptRelease, readKept } from './kept-release.js'

// The compiled program of each release, in one file, so that the next versions can be run beside it. Packages are not in
// it: it runs with those that are installed. Migrations are not either, because released ones never change.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FILE = 'program.json.br'

/** The files of a program by their paths. */
type Files = Readonly<Record<string, string>>

/** Keeps the built program of a checkout as that of a release. */
export async function keepProgram(folder: string, checkout = ROOT): Promise<void> {
  const files: Record<string, string> = {}
  for (const workspace of findPackages(checkout, ['server']).workspaces.sort()) {
    files[`${workspace}/package.json`] = readFileSync(join(checkout, workspace, 'package.json'), 'utf8')
    for (const path of compiledFiles(join(checkout, workspace)))
      files[`${workspace}/${path}`] = readFileSync(join(checkout, workspace, path), 'utf8')
  }
  const bytes = Buffer.from(JSON.stringify(files))
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await writeFile(join(folder, FILE), brotliCompressSync(bytes, { params }))
}

// Neither what the compiler left of sources that are gone, nor the same once more in a few files, nor what only tools read.
function compiledFiles(workspace: string): string[] {
  const sources = new Set(
    ['src', 'ts'].flatMap((folder) => listFiles(join(workspace, folder)).map((path) => path.replace(/\.ts$/, ''))),
  )
  return listFiles(join(workspace, 'dist'))
    .filter((path) => path.endsWith('.js') && sources.has(path.slice(0, -3)))
    .map((path) => `dist/${path}`)
    .sort()
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.split(sep).join('/'))
  } catch {
    return []
  }
}

/** The program of a release in a folder of its own, as `startProgram` takes it. */
export async function placeProgram(version: string): Promise<{ checkout: string; remove(): Promise<void> }> {
  const checkout = await mkdtemp(join(tmpdir(), `rookery-${version}-`))
  const bytes = await readFile(join(KEPT_RELEASES, version, FILE))
  const files = JSON.parse(brotliDecompressSync(bytes).toString('utf8')) as Files
  const { migrations } = await readKept<KeptRelease>(version, 'release.json')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(checkout, path)), { recursive: true })
    await writeFile(join(checkout, path), text)
  }
  await mkdir(join(checkout, 'server/migrations'))
  for (const name of migrations) await cp(join(MIGRATIONS, name), join(checkout, 'server/migrations', name))
  const workspaces = Object.keys(files).flatMap((path) => /^([^/]+)\/package\.json$/.exec(path)?.[1] ?? [])
  await linkPackages(checkout, workspaces)
  return { checkout, remove: () => rm(checkout, { recursive: true, force: true }) }
}

async function linkPackages(checkout: string, workspaces: readonly string[]): Promise<void> {
  await mkdir(join(checkout, 'node_modules/@rookery'), { recursive: true })
  for (const workspace of workspaces)
    symlinkSync(join(checkout, workspace), join(checkout, 'node_modules/@rookery', workspace), 'junction')
  for (const place of ['node_modules', 'server/node_modules']) {
    await mkdir(join(checkout, place), { recursive: true })
    for (const name of listFolders(join(ROOT, place)).filter((name) => name !== '@rookery'))
      symlinkSync(join(ROOT, place, name), join(checkout, place, name), 'junction')
  }
}

function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
