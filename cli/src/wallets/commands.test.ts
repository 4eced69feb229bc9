import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runHere, temporaryFolder } from '../../test/terminal.js'

const privateKey = `0x${'01'.repeat(32)}`
const address = '0x1a642f0e3c3af545e7acbd38b07251b3990914f1'

describe('wallet', () => {
  const folder = temporaryFolder()
  const env = { XDG_CONFIG_HOME: folder }
  const secretEnv = { ...env, ROOKERY_PASSPHRASE: 'correct horse' }
  const file = join(folder, 'rookery', 'wallets', 'ada.json')

  // One wallet for all tests: encrypting one costs half a second by design.
  beforeAll(async () => {
    const { exitCode, out, err } = await runHere(['wallet', 'import', 'ada', '-', '--json'], {
      env: secretEnv,
      input: `${privateKey}\n`,
    })
    expect(exitCode, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ name: 'ada', address: expect.stringMatching(/^0x/), file })
  })

  test('is a file that only its owner can read, and that does not contain the key', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
    expect(readFileSync(file, 'utf8')).not.toContain('0101010101')
  })

  test('says its address without a passphrase', async () => {
    expect((await runHere(['wallet', 'address', 'ada', '--output', 'table'], { env })).out).toBe(`${address}\n`)
    expect(JSON.parse((await runHere(['wallet', 'list'], { env })).out)).toEqual([{ name: 'ada', address, file }])
    const { out } = await runHere(['address', '--wallet', 'ada', '--output', 'table'], { env })
    expect(out.trim().toLowerCase()).toBe(address)
  })

  test('gives its key to who knows the passphrase, from each place it can be in', async () => {
    const passphraseFile = join(folder, 'passphrase')
    writeFileSync(passphraseFile, 'correct horse\n', { mode: 0o600 })
    const words = ['wallet', 'export', 'ada', '--private-key', '--output', 'table']
    const given = await Promise.all([
      runHere(words, { env: secretEnv }),
      runHere([...words, '--passphrase-file', passphraseFile], { env }),
      runHere([...words, '--passphrase-stdin'], { env, input: 'correct horse\n' }),
      runHere(words, { env, ask: async () => 'correct horse' }),
    ])
    expect(given.map(({ out }) => out)).toEqual(Array(4).fill(`${privateKey}\n`))
  })

  test('gives nothing to anyone else', async () => {
    const wrong = await runHere(['wallet', 'export', 'ada', '--private-key'], {
      env: { ...env, ROOKERY_PASSPHRASE: 'wrong horse' },
    })
    expect([wrong.exitCode, wrong.out, wrong.err]).toEqual([
      2,
      '',
      'USAGE: That is not the passphrase of wallet ada.\n',
    ])
    const none = await runHere(['wallet', 'export', 'ada', '--private-key'], { env })
    expect([none.exitCode, none.out]).toEqual([2, ''])
    expect(none.err).toContain('ROOKERY_PASSPHRASE')
  })

  test('moves to another store in its encrypted form', async () => {
    const exported = await runHere(['wallet', 'export', 'ada'], { env })
    const copy = join(folder, 'copy.json')
    writeFileSync(copy, exported.out)
    const elsewhere = { XDG_CONFIG_HOME: temporaryFolder() }
    const moved = await runHere(['wallet', 'import', 'moved', copy, '--passphrase-stdin'], {
      env: elsewhere,
      input: 'correct horse',
    })
    expect(moved.exitCode, moved.err).toBe(0)
    expect((await runHere(['wallet', 'address', 'moved', '--output', 'table'], { env: elsewhere })).out).toBe(
      `${address}\n`,
    )
  })

  test('is not overwritten, and no wallet is made with a passphrase that is short or mistyped', async () => {
    const again = await runHere(['wallet', 'new', 'ada'], { env: secretEnv })
    expect([again.exitCode, again.err]).toEqual([2, expect.stringContaining('already')])
    const short = await runHere(['wallet', 'new', 'bob'], { env: { ...env, ROOKERY_PASSPHRASE: 'short' } })
    expect([short.exitCode, short.err]).toEqual([2, expect.stringContaining('at least 8')])
    const typed = ['correct horse', 'correct house']
    const mistyped = await runHere(['wallet', 'new', 'bob'], { env, ask: async () => typed.shift() })
    expect([mistyped.exitCode, mistyped.err]).toEqual([2, expect.stringContaining('not the same')])
    expect(JSON.parse((await runHere(['wallet', 'list'], { env })).out)).toHaveLength(1)
  })

  test('has a name that stays in its folder', async () => {
    const { exitCode, err } = await runHere(['wallet', 'new', '../ada'], { env: secretEnv })
    expect([exitCode, err]).toEqual([2, expect.stringContaining('The name of a wallet')])
  })

  test('is removed only when that is meant', async () => {
    const meant = (words: string[], answer?: string) =>
      runHere(['wallet', 'remove', 'ada', ...words], { env, ask: async () => answer })
    expect((await meant([])).exitCode).toBe(2)
    expect((await meant([], 'no')).err).toContain('Nothing was deleted')
    expect((await meant([], 'ada')).exitCode).toBe(0)
    expect((await runHere(['wallet', 'list'], { env })).out).toBe('[]\n')
    expect((await runHere(['wallet', 'address', 'ada'], { env })).err).toContain('rookery wallet new ada')
  })
})
