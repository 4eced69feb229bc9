import { existsSync } from 'node:fs'
import { chmod, readFile, symlink } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { begin, makeFolder, sentenceOf, startRefused } from './attempt.js'

const CANNOT = 'Rookery cannot start: '

describe('the start on a port', () => {
  let taken: Server
  let port: string

  beforeAll(async () => {
    taken = createServer()
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
    port = String((taken.address() as { port: number }).port)
  })
  afterAll(() => new Promise((done) => taken.close(done)))

  test.each(['PORT', 'CHAIN_PORT'])(
    'that another program uses says so by %s before it touches the data',
    async (name) => {
      const cwd = await makeFolder()
      const env = { PORT: '0', CHAIN_PORT: '0', DATA_DIR: join(cwd, 'data'), [name]: port }
      expect(sentenceOf(await begin(env, { cwd }).ended)).toMatch(
        new RegExp(`^${CANNOT}${name} ${port} is in use.* set ${name} to another; 0 takes any free one\\.$`),
      )
      expect(existsSync(env.DATA_DIR)).toBe(false)
    },
  )

  test('of a host that is unknown, or of another machine, names HOST', async () => {
    expect(await startRefused({ HOST: 'nowhere.invalid', SOCIAL_NETWORK: 'x-oembed' })).toMatch(
      new RegExp(`^${CANNOT}HOST nowhere.invalid is not known as a host .* Set HOST to 127.0.0.1`),
    )
    // From a range reserved for documentation.
    expect(await startRefused({ HOST: '192.0.2.1', SOCIAL_NETWORK: 'x-oembed' })).toMatch(
      new RegExp(`^${CANNOT}HOST 192.0.2.1 is not an address of this machine\\. Set HOST`),
    )
  })
})

describe('the start with the local network, where anybody can log in as anybody', () => {
  test.each([
    [{ HOST: '0.0.0.0' }, 'others can reach HOST 0.0.0.0'],
    [{ WEB_URL: 'https://rookery.example' }, 'WEB_URL is an https address'],
    [{ TRUST_PROXY: '1' }, 'TRUST_PROXY says that a proxy is in front'],
    [
      { CHAIN_RPC_URL: 'http://127.0.0.1:1', CHAIN_ID: '97', CONTRACT_ADDRESS: `0x${'11'.repeat(20)}` },
      'CHAIN_RPC_URL names a real chain',
    ],
  ])('and %o names both sides and the way out', async (env, reason) => {
    const DATA_DIR = join(await makeFolder(), 'data')
    expect(await startRefused({ ...env, DATA_DIR })).toMatch(
      new RegExp(`^${CANNOT}SOCIAL_NETWORK must not be local while ${reason}: .* or ALLOW_LOCAL_NETWORK_IN_PUBLIC=yes`),
    )
    expect(existsSync(DATA_DIR)).toBe(false)
  })
})

describe('the start on a data folder', () => {
  test('that cannot be written names DATA_DIR and the account', async () => {
    // Root can write everywhere except in the kernel's own folders.
    const folder = process.getuid?.() === 0 ? '/sys' : await makeFolder()
    if (folder !== '/sys') await chmod(folder, 0o500)
    const DATA_DIR = join(folder, 'rookery')
    expect(await startRefused({ DATA_DIR })).toMatch(
      new RegExp(
        `^${CANNOT}DATA_DIR ${DATA_DIR} cannot be written, .* \\(E\\w+\\)\\. Let the account \\S+ own all of it`,
      ),
    )
  })

  test('that is a file says so', async () => {
    const folder = await makeFolder({ data: 'not a folder' })
    const DATA_DIR = join(folder, 'data')
    expect(await startRefused({ DATA_DIR })).toMatch(new RegExp(`^${CANNOT}DATA_DIR ${DATA_DIR} is not a folder`))
    expect(await readFile(join(folder, 'data'), 'utf8')).toBe('not a folder')
  })

  test('on a full disk says so', async () => {
    const DATA_DIR = await makeFolder()
    // The kernel's own full disk.
    await symlink('/dev/full', join(DATA_DIR, '.write-check'))
    expect(await startRefused({ DATA_DIR })).toMatch(
      new RegExp(`^${CANNOT}DATA_DIR ${DATA_DIR} is on a disk that is full \\(ENOSPC\\)\\. Make room`),
    )
  })
})

describe('a .env file', () => {
  test.each([
    ['# ports\n\nPROT=4000\n', 'PROT in .env line 3 is not a variable of Rookery. Did you mean PORT?'],
    ['HOST=127.0.0.1\nhidden', 'Line 2 of .env has no "=". A line is NAME=value, or a comment that begins with #.'],
    ['SERVER_SECRET="hidden', 'SERVER_SECRET in .env line 1 has a quote (") that is not closed.'],
  ])('that reads %j stops the start by its line and shows no value', async (text, sentence) => {
    expect(await startRefused({}, { '.env': text })).toBe(CANNOT + sentence)
  })

  test('sets variables, and what is set already wins', async () => {
    const env = { ROLE: 'all', SOCIAL_NETWORK: 'x-oembed' }
    expect(await startRefused(env, { '.env': 'HOST=192.0.2.1\nROLE=none\n' })).toContain(
      'HOST 192.0.2.1 is not an address',
    )
  })
})

describe('an error that nobody expected', () => {
  test('ends the start with its first line; its stack is in the log at the level debug alone', async () => {
    const cwd = await makeFolder()
    // Throws as soon as a handler for uncaught exceptions is installed.
    const fault = `process.on('newListener',(name)=>name==='uncaughtException'&&setImmediate(()=>{throw(new(Error)('full\\nmoon'))}))`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(fault)}`
    const env = { PORT: '0', CHAIN_PORT: '0', DATA_DIR: join(cwd, 'data'), NODE_OPTIONS }
    const quiet = await begin(env, { cwd }).ended
    expect(sentenceOf(quiet)).toBe(`${CANNOT}full. This is not expected: run it with LOG_LEVEL=debug for the details.`)
    expect(quiet.stdout).toBe('')
    const loud = await begin({ ...env, LOG_LEVEL: 'debug' }, { cwd }).ended
    expect(sentenceOf(loud)).toBe(sentenceOf(quiet))
    expect(loud.stdout).toMatch(/"level":20.*"stack":"Error: full\\nmoon\\n {4}at .*"msg":"the start failed"/)
  })
})
