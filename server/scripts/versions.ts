import { readFileSync, writeFileSync } from 'node:fs'

const ROOT = new URL('../../', import.meta.url)

interface Package {
  version?: string
  readonly workspaces?: readonly string[]
  readonly [field: string]: unknown
}

interface Lock extends Package {
  readonly packages: Readonly<Record<string, Package>>
}

const CHART = 'deploy/helm/rookery/Chart.yaml'
const CHART_VERSION = /^((?:app)?[vV]ersion): (.*)$/gm
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** Every place that says a version of ours: the packages, what they ask of each other, the same in the lock file, and the chart. */
export function listVersions(): Record<string, string> {
  const places: Record<string, string> = {}
  for (const { file, packages } of readFiles())
    for (const [name, it] of Object.entries(packages)) {
      places[`${file} ${name}`] = it.version ?? 'none'
      for (const [field, wanted] of ownDependencies(it)) places[`${file} ${name} ${field}`] = wanted
    }
  for (const [, field = '', version = ''] of readText(CHART).matchAll(CHART_VERSION))
    places[`${CHART} ${field}`] = version
  return places
}

/** Writes a version to all of these places. */
export function setVersion(version: string): void {
  for (const { file, content, packages } of readFiles()) {
    if (content.version) content.version = version
    for (const it of Object.values(packages)) {
      it.version = version
      for (const [name, , list] of ownDependencies(it)) list[name] = version
    }
    writeFileSync(new URL(file, ROOT), `${JSON.stringify(content, null, 2)}\n`)
  }
  writeFileSync(
    new URL(CHART, ROOT),
    readText(CHART).replace(CHART_VERSION, (_, field) => `${field}: ${version}`),
  )
}

function readText(file: string): string {
  return readFileSync(new URL(file, ROOT), 'utf8')
}

function readFiles(): { file: string; content: Package; packages: Record<string, Package> }[] {
  const read = <T>(file: string) => JSON.parse(readText(file)) as T
  const workspaces = read<Package>('package.json').workspaces ?? []
  const files = ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)]
  const lock = read<Lock>('package-lock.json')
  const locked = Object.fromEntries(['', ...workspaces].map((folder) => [folder, lock.packages[folder] ?? {}]))
  return [
    ...files.map((file) => {
      const content = read<Package>(file)
      return { file, content, packages: { '': content } }
    }),
    { file: 'package-lock.json', content: lock, packages: locked },
  ]
}

function ownDependencies(it: Package): [name: string, version: string, list: Record<string, string>][] {
  return DEPENDENCIES.flatMap((field) => {
    const list = (it[field] ?? {}) as Record<string, string>
    const own = Object.entries(list).filter(([name]) => name.startsWith('@rookery/'))
    return own.map(([name, version]) => [name, version, list] as [string, string, Record<string, string>])
  })
}
