import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { listMisspelt, variables } from './config.js'
import { readEnvFile } from './env-file.js'

const folder = mkdtempSync(join(tmpdir(), 'rookery-env-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, '.env')

function read(text: string): Record<string, string | undefined> {
  writeFileSync(file, text)
  return readEnvFile(file, Object.keys(variables))
}

describe('a .env file', () => {
  test.each([
    ['# ports\n\nPROT=4000\n', 'PROT in .env line 3 is not a variable of Rookery. Did you mean PORT?'],
    ['DATABASE_URI=hidden', 'DATABASE_URI in .env line 1 is not a variable of Rookery. Did you mean DATABASE_URL?'],
    ['port=4000', 'port in .env line 1 is not a variable of Rookery. Did you mean PORT?'],
    [
      'AWS_ACCES_KEY_ID=hidden',
      'AWS_ACCES_KEY_ID in .env line 1 is not a variable of Rookery. Did you mean AWS_ACCESS_KEY_ID?',
    ],
    [
      'COLOUR=hidden',
      'COLOUR in .env line 1 is not a variable of Rookery. Remove it; .env.example lists all variables.',
    ],
    ['HOST=x\r\nhidden\r\n', 'Line 2 of .env has no "=". A line is NAME=value, or a comment that begins with #.'],
    ['hiddenPieceOfKey==', 'Line 1 of .env does not begin with the name of a variable in capitals.'],
    ['HOST=127.0.0.1\nSERVER_SECRET="hidden', 'SERVER_SECRET in .env line 2 has a quote (") that is not closed.'],
    ['SERVER_SECRET="hidden\nHOST="127.0.0.1"', 'SERVER_SECRET in .env line 1 has a quote (") that is not closed.'],
    ["SERVER_SECRET='hidden' hidden", "SERVER_SECRET in .env line 1 goes on after its closing quote (')."],
    ['HOST=hidden\nPORT=1\nHOST=hidden', 'HOST is set twice in .env, in lines 1 and 3. Remove one of them.'],
  ])('that reads %j is refused with its line number and without any value', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence.replace('.env', file))
  })

  test('may have quotes, comments, Windows line endings, a byte order mark and foreign names', () => {
    const text = [
      '\uFEFF# first',
      'export HOST="192.0.2.1" # documentation',
      "PORT='4000'",
      'LOG_LEVEL=silent # quiet',
      '',
      'SERVER_SECRET="a # in it = and more"',
      'WEB_URL=',
      'PGSSLMODE=disable',
      'AWS_PROFILE=rookery',
      'NODE_ENV=production',
      'HTTPS_PROXY=http://proxy.example',
    ]
    expect(read(text.join('\r\n'))).toEqual({
      HOST: '192.0.2.1',
      PORT: '4000',
      LOG_LEVEL: 'silent',
      SERVER_SECRET: 'a # in it = and more',
      WEB_URL: '',
      PGSSLMODE: 'disable',
      AWS_PROFILE: 'rookery',
      NODE_ENV: 'production',
      HTTPS_PROXY: 'http://proxy.example',
    })
  })

  test('that does not exist sets nothing', () => {
    expect(readEnvFile(join(folder, 'missing'), [])).toEqual({})
  })
})

describe('a variable of the environment', () => {
  test.each([
    ['PROT', 'Did you mean PORT?'],
    ['RATE_LIMIT_READ', 'Did you mean RATE_LIMIT_READS?'],
    ['RATE_LIMIT_TWEETS', 'See .env.example.'],
    ['EMBEDDING_MODEL', 'Did you mean EMBEDDINGS_MODEL?'],
    ['REDIS_URI', 'Did you mean REDIS_URL?'],
    ['AWS_REGOIN', 'Did you mean AWS_REGION?'],
  ])('named %s is reported as a typo', (name, advice) => {
    expect(listMisspelt({ [name]: 'x' })).toEqual([`${name} is set, but it is not a variable of Rookery. ${advice}`])
  })

  test.each(
    // Set by shells, Kubernetes, Docker, libraries and other programs.
    `HOSTNAME HOSTTYPE HOME PATH PORTS PORT0 PORT1 POST FILE FILES_DIR ROLES VIDEOS VIDEO_URL DATABASE REDIS_HOST REDIS_PORT
     PGPORT PGHOST PGUSER AWS_PROFILE AWS_DEFAULT_REGION AWS_ROLE_ARN CHAIN_SERVICE_HOST CHAIN_PORT_8545_TCP X_REQUEST_ID
     NODE_ENV NODE_OPTIONS NO_COLOR LOGNAME LANG TERM WEB_PORT npm_config_port ROOKERY_URL`
      .split(/\s+/)
      .map((name) => [name]),
  )('named %s is left alone', (name) => {
    expect(listMisspelt({ [name]: 'x' })).toEqual([])
  })

  test('is left alone if the right one is set too', () => {
    expect(listMisspelt({ REDIS_URI: 'x', REDIS_URL: 'x' })).toEqual([])
  })
})
