import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS, type Migration } from '../src/foundation/db/migrations.js'

/** The migrations that releases have applied to data out there, by name. */
export type Released = Readonly<Record<string, { readonly since: string; readonly checksum: string }>>

// In the repository, since a copy of it may have no tags.
const FILE = join(MIGRATIONS, 'released.json')

export function readReleased(): Released {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Released
}

export function writeReleased(released: Released): void {
  writeFileSync(FILE, `${JSON.stringify(released, null, 2)}\n`)
}

/** What would keep data of a release from being taken over, one sentence each. */
export function findBroken(released: Released, migrations: readonly Migration[]): string[] {
  const here = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  const last = Object.keys(released).sort().at(-1) ?? ''
  const changed = Object.entries(released).flatMap(([name, { since, checksum }]) => {
    if (!here.has(name)) return [`${name} was released with ${since} and is gone: put it back.`]
    return here.get(name) === checksum ? [] : [`${name} was released with ${since} and then changed: restore it.`]
  })
  const early = migrations.filter(({ name }) => !(name in released) && name < last)
  return [
    ...changed,
    ...early.map(({ name }) => `${name} comes before ${last}, which is released: give it a number after.`),
  ]
}

/** The list with what a release adds to it. */
export function addReleased(released: Released, migrations: readonly Migration[], version: string): Released {
  const all = migrations.map(({ name, checksum }) => [name, released[name] ?? { since: version, checksum }] as const)
  return Object.fromEntries(all)
}
