import { readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The program of a thread or process: a compiled file, or a source that needs a loader. */
export interface ProgramFile {
  readonly url: URL
  readonly isSource: boolean
}

const ROOT = new URL('../../', import.meta.url)
/** The workspaces that contain such programs, with their source folders. */
const SOURCES = {
  api: 'api/src/',
  contracts: 'contracts/ts/',
  host: 'host/src/',
  'embedded-chain': 'embedded-chain/src/',
  'skill-scan': 'skill-scan/src/',
  server: 'server/src/',
}
type Workspace = keyof typeof SOURCES
const WORKSPACES = Object.keys(SOURCES) as Workspace[]

/**
 * Finds the program at a path relative to `base`. Code that runs from source uses the compiled program if nothing has
 * changed since the build, because loading TypeScript costs a thread half a second.
 */
export function findProgram(file: `./${string}.js`, base: string): ProgramFile {
  if (!base.endsWith('.ts')) return { url: new URL(file, base), isSource: false }
  const source = new URL(file.replace(/js$/, 'ts'), base)
  const workspace = WORKSPACES.find((name) => source.href.startsWith(sourcesOf(name).href))
  if (!workspace || !isBuilt()) return { url: source, isSource: true }
  const path = source.href.slice(sourcesOf(workspace).href.length).replace(/ts$/, 'js')
  return { url: new URL(`${workspace}/dist/${path}`, ROOT), isSource: false }
}

/** The arguments with which Node runs a source in a separate process. */
export function sourceArguments(): string[] {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return ['--conditions=source', '--import', tsx]
}

let built: boolean | undefined

function isBuilt(): boolean {
  built ??= WORKSPACES.every(
    (name) => newestSource(sourcesOf(name)) <= modifiedAt(new URL(`${name}/tsconfig.tsbuildinfo`, ROOT)),
  )
  return built
}

function sourcesOf(workspace: Workspace): URL {
  return new URL(SOURCES[workspace], ROOT)
}

function newestSource(folder: URL): number {
  return Math.max(
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => modifiedAt(new URL(path, folder))),
  )
}

function modifiedAt(file: URL): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
