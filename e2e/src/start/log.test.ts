import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { begin, makeFolder } from './attempt.js'

const MAIN = fileURLToPath(new URL('../../../server/dist/main.js', import.meta.url))

// A warning, after which the start fails.
async function warning(): Promise<Record<string, string>> {
  return {
    PROT: '1',
    HOST: '192.0.2.1',
    SOCIAL_NETWORK: 'x-oembed',
    PLATFORM_NAME: 'Nest',
    DATA_DIR: join(await makeFolder(), 'data'),
  }
}

const LINE = 'PROT is set, but it is not a variable of Rookery. Did you mean PORT?'

describe('the log', () => {
  test('is JSON where nobody reads it, and text by LOG_FORMAT', async () => {
    const json = await begin(await warning()).ended
    expect(JSON.parse(json.stdout)).toMatchObject({ level: 40, msg: LINE })
    const text = await begin({ ...(await warning()), LOG_FORMAT: 'text' }).ended
    expect(text.stdout).toMatch(/^\d\d:\d\d:\d\d warn {2}PROT is set, .* Did you mean PORT\?\n$/)
  })

  // The two lines may arrive in either order: one comes from stdout, the other from stderr.
  // Linux only: elsewhere `script` takes the command by a different option.
  test.runIf(process.platform === 'linux' && existsSync('/usr/bin/script')).each([
    [{}, /^ESC\[90m\d\d:\d\d:\d\dESC\[0m ESC\[33mwarn ESC\[0m PROT is set, /m],
    [{ NO_COLOR: '1' }, /^\d\d:\d\d:\d\d warn {2}PROT is set, /m],
    [{ LOG_FORMAT: 'json' }, /^\{"level":40,/m],
  ])('is to be read on a terminal, with %o', async (more, expected) => {
    const command = `"${process.execPath}" "${MAIN}"`
    const { stdout } = spawnSync('/usr/bin/script', ['-qec', command, '/dev/null'], {
      env: { PATH: process.env.PATH, TERM: 'xterm-256color', SHELL: '/bin/sh', ...(await warning()), ...more },
      input: '',
      encoding: 'utf8',
    })
    expect(stdout.replaceAll('\x1b', 'ESC')).toMatch(expected)
  })
})
