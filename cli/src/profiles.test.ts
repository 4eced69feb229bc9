import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEchoServer } from '../test/echo-server.js'
import { runHere, temporaryFolder } from '../test/terminal.js'
import { resolveConnection } from './connection.js'
import { configPath, findProfile, saveProfile } from './profiles.js'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const newEnv = () => ({ XDG_CONFIG_HOME: temporaryFolder() })

describe('profiles', () => {
  test('are kept where only their owner can read them', async () => {
    const env = newEnv()
    mkdirSync(join(env.XDG_CONFIG_HOME, 'rookery'), { mode: 0o755 })
    await saveProfile(env, 'default', { url: 'http://a.example', apiKey: 'sk_1' })
    await saveProfile(env, 'default', { url: 'http://a.example', apiKey: 'sk_2' })
    expect(configPath(env)).toBe(join(env.XDG_CONFIG_HOME, 'rookery', 'config.json'))
    expect(modeOf(configPath(env))).toBe('600')
    expect(modeOf(dirname(configPath(env)))).toBe('700')
    expect(readdirSync(dirname(configPath(env)))).toEqual(['config.json'])
  })

  test.each([0o640, 0o604, 0o620])('are refused with mode %o', async (mode) => {
    const env = newEnv()
    await saveProfile(env, 'default', { url: 'http://a.example', apiKey: 'sk_1' })
    chmodSync(configPath(env), mode)
    const { exitCode, err } = await runHere(['whoami'], { env })
    expect(exitCode).toBe(2)
    expect(err).toContain('chmod 600')
  })

  test('are refused when they cannot be understood', async () => {
    const env = newEnv()
    await saveProfile(env, 'default', undefined)
    writeFileSync(configPath(env), '{"profiles": {"default": {}}}')
    expect(() => findProfile(env, 'default')).toThrow('Repair or remove it')
  })

  test('lose nothing when several are stored at once', async () => {
    const env = newEnv()
    const names = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(names.map((name) => saveProfile(env, name, { url: 'http://a.example', apiKey: name })))
    expect(names.map((name) => findProfile(env, name)?.apiKey)).toEqual(names)
  })

  test('live under the home folder without XDG_CONFIG_HOME, or with one that is not a full path', () => {
    expect(configPath({ HOME: '/home/a' })).toBe('/home/a/.config/rookery/config.json')
    expect(configPath({ HOME: '/home/a', XDG_CONFIG_HOME: 'here' })).toBe('/home/a/.config/rookery/config.json')
  })
})

describe('the connection', () => {
  test('takes the environment before the profile', async () => {
    const env = newEnv()
    await saveProfile(env, 'default', { url: 'http://a.example', apiKey: 'sk_1' })
    expect(resolveConnection(env)).toMatchObject({ url: 'http://a.example', apiKey: 'sk_1' })
    expect(resolveConnection({ ...env, ROOKERY_API_KEY: 'sk_2' })).toMatchObject({ apiKey: 'sk_2' })
    expect(resolveConnection({ ...env, ROOKERY_URL: 'http://a.example/' })).toMatchObject({ apiKey: 'sk_1' })
  })

  test('sends a stored key to no other server than its own', async () => {
    const env = newEnv()
    await saveProfile(env, 'default', { url: 'http://a.example', apiKey: 'sk_1' })
    expect(resolveConnection({ ...env, ROOKERY_URL: 'http://b.example' }).apiKey).toBeUndefined()
  })

  test('uses the profile that is named', async () => {
    const env = newEnv()
    await saveProfile(env, 'two', { url: 'http://b.example', apiKey: 'sk_2' })
    expect(resolveConnection(env, { profile: 'two' })).toMatchObject({ url: 'http://b.example', apiKey: 'sk_2' })
    expect(resolveConnection({ ...env, ROOKERY_PROFILE: 'two' }).apiKey).toBe('sk_2')
  })
})

describe('login', () => {
  let server: Awaited<ReturnType<typeof startEchoServer>>
  beforeAll(async () => {
    server = await startEchoServer(({ headers }) =>
      headers['x-api-key'] === 'sk_bad'
        ? { status: 401, body: { code: 'INVALID_API_KEY', message: 'Unknown.' } }
        : { body: { username: 'alice' } },
    )
  })
  afterAll(() => server.close())

  const login = (env: Record<string, string>, input: string) =>
    runHere(['login', '--url', `${server.url}/`, '--api-key-stdin'], { env, input })

  test('stores server and key, and never shows the key', async () => {
    const env = newEnv()
    const { exitCode, out, err } = await login(env, 'sk_good\n')
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toEqual({ profile: 'default', url: server.url, username: 'alice' })
    expect(out + err).not.toContain('sk_good')
    expect(findProfile(env, 'default')).toEqual({ url: server.url, apiKey: 'sk_good', username: 'alice' })
  })

  test('stores nothing when the key does not work', async () => {
    const env = newEnv()
    expect(await login(env, 'sk_bad')).toMatchObject({ exitCode: 5, err: 'INVALID_API_KEY: Unknown.\n' })
    expect(await login(env, '')).toMatchObject({ exitCode: 2 })
    expect(findProfile(env, 'default')).toBeUndefined()
  })

  test('is undone by logout', async () => {
    const env = newEnv()
    await login(env, 'sk_good')
    expect(await runHere(['logout'], { env })).toMatchObject({ exitCode: 0 })
    expect(readFileSync(configPath(env), 'utf8')).not.toContain('sk_good')
  })
})
