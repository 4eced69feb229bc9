import { readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('../../CHANGELOG.md', import.meta.url)
const UNRELEASED = 'Unreleased'

/** A section of the changelog: `## 0.2.0 (2026-12-24)` and what is below it. */
export interface Entry {
  readonly version: string
  readonly date: string | undefined
  readonly text: string
}

export function readChangelog(): string {
  return readFileSync(FILE, 'utf8')
}

/** The entries, newest first. */
export function readEntries(changelog = readChangelog()): Entry[] {
  const [, ...sections] = changelog.split(/^## /m)
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n')
    const [, version = title, date] = /^(\S+)(?: \((\d{4}-\d\d-\d\d)\))?$/.exec(title.trim()) ?? []
    return { version, date, text: lines.join('\n').trim() }
  })
}

/** Everything that was written down since a release. */
export function changesSince(version: string, changelog = readChangelog()): string {
  const entries = readEntries(changelog)
  const newer = entries.slice(
    0,
    entries.findIndex((entry) => entry.version === version),
  )
  return newer.map(({ text }) => text).join('\n')
}

/** Makes what is not released yet the entry of a version. An entry that is there already stays. */
export function nameEntry(version: string, date: string, changelog = readChangelog()): string {
  const entries = readEntries(changelog)
  if (entries[0]?.version === version) return changelog
  if (entries.some((entry) => entry.version === version)) throw new Error(`CHANGELOG.md has ${version} already.`)
  const [newest] = entries
  if (newest?.version !== UNRELEASED || newest.text === '')
    throw new Error(`CHANGELOG.md has to begin with "## ${UNRELEASED}" and say what is new in ${version}.`)
  return changelog.replace(`## ${UNRELEASED}`, `## ${version} (${date})`)
}

export function writeChangelog(changelog: string): void {
  writeFileSync(FILE, changelog)
}
