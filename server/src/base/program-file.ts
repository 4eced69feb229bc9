import { readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** What a thread or a process of ours runs: a compiled file, or a source that needs a loader to be understood. */
export interface ProgramFile {
  readonly url: URL
  readonly isSource: boolean
}

const ROOT = new URL('../../../', import.meta.url)
const SOURCES = ['server/src/', 'api/src/', 'contracts/ts/']

/**
 * The program at a path relative to `base`. Code that is run from source takes the compiled program as long as nothing
 * has changed since the build: to learn TypeScript costs a thread half a second.
 */
export function findProgram(file: `./${string}.js`, base: string): ProgramFile {
  if (!base.endsWith('.ts')) return { url: new URL(file, base), isSource: false }
  const source = new URL(file.replace(/js$/, 'ts'), base)
  const path = source.href.slice(new URL('server/src/', ROOT).href.length).replace(/ts$/, 'js')
  if (isBuilt()) return { url: new URL(`server/dist/${path}`, ROOT), isSource: false }
  return { url: source, isSource: true }
}

/** The arguments with which Node runs a source in a process of its own. */
export function sourceArguments(): string[] {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return ['--conditions=source', '--import', tsx]
}

let built: boolean | undefined

function isBuilt(): boolean {
  built ??= newestSource() <= modifiedAt(new URL('server/tsconfig.tsbuildinfo', ROOT))
  return built
}

function newestSource(): number {
  const folders = SOURCES.map((folder) => new URL(folder, ROOT))
  return Math.max(
    ...folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
        .map((path) => modifiedAt(new URL(path, folder))),
    ),
  )
}

function modifiedAt(file: URL): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
