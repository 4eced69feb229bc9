import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Locked {
  readonly name?: string
  readonly version: string
  readonly dev?: boolean
  readonly link?: boolean
}

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const { scripts } = read('package.json') as { scripts: Record<string, string> }
const locked = Object.entries((read('package-lock.json') as { packages: Record<string, Locked> }).packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, it]) => ({ path, installedAs: path.split('node_modules/').at(-1) ?? '', ...it }))

/** The licences of permissive software. A choice counts by its best part. */
const PERMISSIVE = new Set([
  'MIT',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'Unlicense',
  'BlueOak-1.0.0',
  'CC0-1.0',
])

/** Packages under other licences, and why they may be here. */
const EXCEPTIONS: readonly (readonly [name: RegExp, licence: string, reason: string])[] = [
  [/^@fontsource(-variable)?\/inter$/, 'OFL-1.1', 'a font: it may be embedded and shipped, and is not sold by itself'],
  [/^@img\/sharp-libvips-/, 'LGPL-3.0-or-later', 'a library in a file of its own, which anyone can replace'],
  [/^@img\/sharp-(wasm32|win32-)/, 'Apache-2.0 AND LGPL-3.0-or-later', 'the same library for other machines'],
  [/^(mediabunny|web-push)$/, 'MPL-2.0', 'its own files stay under it; they are used unchanged'],
]

function isPermissive(licence: string): boolean {
  const choices = licence.replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((part) => PERMISSIVE.has(part)))
}

function isExcepted(name: string, licence: string): boolean {
  return EXCEPTIONS.some(([pattern, allowed]) => pattern.test(name) && licence.startsWith(allowed))
}

describe('the packages that the service runs on', () => {
  const installed = locked.filter(({ path, dev }) => !dev && existsSync(join(ROOT, path, 'package.json')))

  test('have permissive licences, or an exception with a reason', () => {
    expect(installed.length).toBeGreaterThan(200)
    const others = installed
      .map(({ path, installedAs }) => ({ installedAs, licence: licenceOf(path) }))
      .filter(({ installedAs, licence }) => !isPermissive(licence) && !isExcepted(installedAs, licence))
    expect(others).toEqual([])
  })

  test('need every exception', () => {
    const unused = EXCEPTIONS.filter(([pattern]) => !locked.some(({ installedAs }) => pattern.test(installedAs)))
    expect(unused).toEqual([])
  })
})

function licenceOf(path: string): string {
  const { license, licenses } = read(join(path, 'package.json')) as {
    license?: string | { type: string }
    licenses?: readonly { type: string }[]
  }
  if (typeof license === 'string') return license
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'none'
}

interface Component {
  readonly type: string
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly purl: string
}

describe('npm run sbom', () => {
  test('lists every package of the lock file as CycloneDX', () => {
    const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8, shell: true } as const
    const { stdout, stderr, status } = spawnSync(scripts.sbom ?? '', options)
    expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
    const bom = JSON.parse(stdout) as { bomFormat: string; specVersion: string; components: readonly Component[] }
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) })
    for (const { type, version, purl } of bom.components) {
      expect(type).toBe('library')
      expect(purl).toMatch(/^pkg:npm\//)
      expect(purl).toContain(version)
    }
    const listed = new Set(bom.components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/|\?.*$/g, '')))
    const missing = locked.filter(
      ({ installedAs, name, version }) => ![name, installedAs].some((it) => listed.has(`${it}@${version}`)),
    )
    expect(missing).toEqual([])
  }, 120_000)
})
