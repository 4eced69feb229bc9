import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { begin, makeFolder, refusal, sentenceOf } from './attempt.js'

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

  test('that is also the chain’s says so', async () => {
    expect(await refusal({ PORT: '40001', CHAIN_PORT: '40001' })).toContain('CHAIN_PORT must be another port than PORT')
  })

  test('of a host that is unknown, or of another machine, names HOST', async () => {
    expect(await refusal({ HOST: 'nowhere.invalid' })).toMatch(
      new RegExp(`^${CANNOT}HOST nowhere.invalid is not known as a host .* Set HOST to 127.0.0.1`),
    )
    // From a range that is kept for documentation.
    expect(await refusal({ HOST: '192.0.2.1' })).toMatch(
      new RegExp(`^${CANNOT}HOST 192.0.2.1 is not an address of this machine\\. Set HOST`),
    )
  })
})

describe('the start on a data folder', () => {
  test('that cannot be written names DATA_DIR and the account', async () => {
    // Whoever may do anything is refused by the kernel's own folders alone.
    const folder = process.getuid?.() === 0 ? '/sys' : await makeFolder()
    if (folder !== '/sys') await chmod(folder, 0o500)
    const DATA_DIR = join(folder, 'rookery')
    expect(await refusal({ DATA_DIR })).toMatch(
      new RegExp(
        `^${CANNOT}DATA_DIR ${DATA_DIR} cannot be written, .* \\(E\\w+\\)\\. Let the account \\S+ own all of it`,
      ),
    )
  })

  test('that is a file says so', async () => {
    const folder = await makeFolder({ data: 'not a folder' })
    for (const DATA_DIR of [join(folder, 'data'), join(folder, 'data/below')])
      expect(await refusal({ DATA_DIR })).toMatch(new RegExp(`^${CANNOT}DATA_DIR ${DATA_DIR} is not a folder`))
    expect(await readFile(join(folder, 'data'), 'utf8')).toBe('not a folder')
  })

  test('on a full disk says so', async () => {
    const DATA_DIR = await makeFolder()
    // The kernel's own full disk.
    await symlink('/dev/full', join(DATA_DIR, '.write-check'))
    expect(await refusal({ DATA_DIR })).toMatch(
      new RegExp(`^${CANNOT}DATA_DIR ${DATA_DIR} is on a disk that is full \\(ENOSPC\\)\\. Make room`),
    )
  })

  test('of which a part belongs to another account names the part', async () => {
    const DATA_DIR = await makeFolder()
    await writeFile(join(DATA_DIR, 'database'), '')
    expect(await refusal({ DATA_DIR })).toMatch(
      new RegExp(`^${CANNOT}DATA_DIR ${DATA_DIR} is not a folder, because of ${join(DATA_DIR, 'database')}`),
    )
  })
})

describe('a .env file', () => {
  test.each([
    ['# ports\n\nPROT=4000\n', 'PROT in .env line 3 is not a variable of Rookery. Did you mean PORT?'],
    [
      'DATABASE_URI=postgres://u:hidden@h/d',
      'DATABASE_URI in .env line 1 is not a variable of Rookery. Did you mean DATABASE_URL?',
    ],
    ['port=4000', 'port in .env line 1 is not a variable of Rookery. Did you mean PORT?'],
    [
      'AWS_ACCES_KEY_ID=hidden',
      'AWS_ACCES_KEY_ID in .env line 1 is not a variable of Rookery. Did you mean AWS_ACCESS_KEY_ID?',
    ],
    [
      'FAVOURITE_COLOUR=hidden',
      'FAVOURITE_COLOUR in .env line 1 is not a variable of Rookery. Remove it; .env.example lists all variables.',
    ],
    [
      'SERVER_SECRET=x\r\nhidden\r\n',
      'Line 2 of .env has no "=". A line is NAME=value, or a comment that begins with #.',
    ],
    ['hiddenPieceOfKey==', 'Line 1 of .env does not begin with the name of a variable in capitals.'],
    ['HOST=127.0.0.1\nSERVER_SECRET="hidden', 'SERVER_SECRET in .env line 2 has a quote (") that is not closed.'],
    ['SERVER_SECRET="hidden\nHOST="127.0.0.1"', 'SERVER_SECRET in .env line 1 has a quote (") that is not closed.'],
    ["SERVER_SECRET='hidden' hidden", "SERVER_SECRET in .env line 1 goes on after its closing quote (')."],
    ['HOST=hidden\nPORT=1\nHOST=hidden', 'HOST is set twice in .env, in lines 1 and 3. Remove one of them.'],
  ])('that reads %j stops the start by its line and shows no value', async (text, sentence) => {
    expect(await refusal({}, { '.env': text })).toBe(CANNOT + sentence)
  })

  test('that cannot be read stops the start', async () => {
    const cwd = await makeFolder()
    await mkdir(join(cwd, '.env'))
    const ended = await begin({ PORT: '0' }, { cwd }).ended
    expect(sentenceOf(ended)).toMatch(new RegExp(`^${CANNOT}\\.env cannot be read \\(EISDIR\\)`))
  })

  test('is read with all its quotes, comments and names of others, and what is set already wins', async () => {
    const text = [
      '\uFEFF# with a mark of Windows before it',
      'export HOST="192.0.2.1" # documentation',
      "PORT='0'",
      'LOG_LEVEL=silent # quiet',
      'PGSSLMODE=disable',
      'AWS_PROFILE=rookery',
      'NODE_ENV=production',
      'HTTPS_PROXY=http://proxy.example',
      'ROLE=no such role',
    ].join('\r\n')
    expect(await refusal({ ROLE: 'all' }, { '.env': text })).toContain('HOST 192.0.2.1 is not an address')
  })
})

describe('the log of the start', () => {
  test('warns of variables in the environment that look misspelt, and of no others', async () => {
    const cwd = await makeFolder()
    const env = {
      // Stops the start after the warnings.
      HOST: '192.0.2.1',
      DATA_DIR: join(cwd, 'data'),
      PROT: '4000',
      RATE_LIMIT_READ: '5',
      RATE_LIMIT_TWEETS: '5',
      EMBEDDING_MODEL: 'x',
      // Set by shells and platforms, or for others.
      HOSTNAME: 'web-1',
      PORTS: '1',
      PORT0: '1',
      POST: '1',
      HOME: '/root',
      FILE: 'x',
      ROLES: 'x',
      PGPORT: '5432',
      AWS_PROFILE: 'x',
      AWS_DEFAULT_REGION: 'x',
      CHAIN_SERVICE_HOST: '10.0.0.1',
      CHAIN_PORT_8545_TCP: 'tcp://10.0.0.1:8545',
      LOG_LEVELS: 'x',
      LOG_LEVEL: 'info',
      X_REQUEST_ID: '1',
      VIDEO_URL: 'x',
      DATABASE: 'x',
      REDIS_HOST: 'x',
    }
    const { stdout } = await begin(env, { cwd }).ended
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'PROT is set, but it is not a variable of Rookery. Did you mean PORT?'],
      [40, 'RATE_LIMIT_READ is set, but it is not a variable of Rookery. Did you mean RATE_LIMIT_READS?'],
      [40, 'RATE_LIMIT_TWEETS is set, but it is not a variable of Rookery. See .env.example.'],
      [40, 'EMBEDDING_MODEL is set, but it is not a variable of Rookery. Did you mean EMBEDDINGS_MODEL?'],
    ])
  })

  test('has the stack of an error that nobody expected, at the level debug alone', async () => {
    const cwd = await makeFolder()
    // Throws as soon as somebody listens for what nobody has caught.
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
