import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

interface Entry {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url))
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> }
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '')

// npm does not check what it downloads for an entry without `integrity`. The registry that these were locked from has
// none of them: they are binaries for systems that it does not serve. Whoever has them adds their integrity and removes
// the name here.
const NOT_SERVED = 'a binary for a system that the registry in use does not serve'
const UNCHECKED: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['android-arm64', 'android-x64', 'darwin-arm64', 'darwin-x64', 'win32-arm64', 'win32-x64'].map(
      (system) => `@biomejs/cli-${system}`,
    ),
    ...[
      'android-arm64',
      'darwin-arm64',
      'darwin-x64',
      'linux-arm-gnueabihf',
      'linux-riscv64-gnu',
      'win32-arm64-msvc',
      'win32-x64-msvc',
    ].map((system) => `@napi-rs/canvas-${system}`),
    ...[
      'android-arm-eabi',
      'android-arm64',
      'darwin-arm64',
      'darwin-x64',
      'freebsd-x64',
      'linux-arm-gnueabihf',
      'linux-ppc64-gnu',
      'linux-s390x-gnu',
      'openharmony-arm64',
      'win32-arm64-msvc',
      'win32-x64-msvc',
    ].map((system) => `@rolldown/binding-${system}`),
  ].map((name) => [name, NOT_SERVED]),
)

describe('package-lock.json', () => {
  test('has the integrity of every package, except for those listed with a reason', () => {
    const without = installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => nameOf(path))
    expect(without.sort()).toEqual(Object.keys(UNCHECKED).sort())
  })

  test('lets nothing be installed unchecked on the systems that we test on', () => {
    const unchecked = installed.filter(([path]) => nameOf(path) in UNCHECKED)
    for (const [path, { optional, os, cpu }] of unchecked) {
      expect([path, optional]).toEqual([path, true])
      const isTested = os?.includes('linux') && cpu?.some((one) => one === 'x64' || one === 'arm64')
      expect([path, isTested ?? false]).toEqual([path, false])
    }
  })

  test('has only digests that npm checks', () => {
    for (const [path, { integrity }] of installed)
      if (integrity !== undefined)
        expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/)])
  })
})
