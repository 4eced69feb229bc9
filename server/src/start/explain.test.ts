import { describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.js'
import { explain } from './failure.js'
import { nodeProblem } from './packages.js'
import { checkPorts } from './ports.js'

const config = readConfig({ DATA_DIR: '/var/lib/rookery', DATABASE_URL: 'postgres://u:hidden@h/d' })
const system = (code: string, more: object = {}) => Object.assign(new Error(`${code}: refused`), { code, ...more })

describe('a failed start', () => {
  test.each([
    [system('EADDRINUSE', { syscall: 'listen' }), /^PORT 3000 is in use on 127\.0\.0\.1\. .* set PORT to another/],
    [
      system('EACCES', { syscall: 'listen' }),
      /^PORT 3000 is not allowed to this account\. Set PORT to one above 1023\.$/,
    ],
    [
      system('EACCES', { path: '/var/lib/rookery/database/base' }),
      /^DATA_DIR \/var\/lib\/rookery cannot be written, because of \/var\/lib\/rookery\/database\/base/,
    ],
    [system('EROFS', { path: '/var/lib' }), /^DATA_DIR \/var\/lib\/rookery cannot be written/],
    [system('ENOSPC', { syscall: 'write' }), /^DATA_DIR \/var\/lib\/rookery is on a disk that is full/],
    [
      new Error('Migration failed', { cause: system('42501', { severity: 'ERROR' }) }),
      /^DATABASE_URL: PostgreSQL refuses \(.*\)\. Let its owner grant/,
    ],
    [
      system('EACCES', { path: '/elsewhere/file' }),
      /^EACCES: refused\. This is not expected: run it with LOG_LEVEL=debug/,
    ],
    [new Error('first\nsecond'), /^first\. This is not expected/],
    [{ name: 'ErrnoError', errno: 51 }, /^DATA_DIR \/var\/lib\/rookery is on a disk that is full \(ENOSPC\)/],
    [{ odd: 1 }, /^\{"odd":1\}\. This is not expected/],
    ['a text', /^a text\. This is not expected/],
  ])('is explained in one line: %s', (error, sentence) => {
    const message = explain(error, config)
    expect(message).toMatch(sentence)
    expect(message).not.toMatch(/\n|hidden/)
  })

  test('is caused by a port that is used twice', async () => {
    const twice = checkPorts(readConfig({ PORT: '40001', CHAIN_PORT: '40001' }))
    await expect(twice).rejects.toThrow('CHAIN_PORT must be another port than PORT (40001).')
  })

  test('is caused by a Node older than package.json requires', async () => {
    const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } })
    const [, oldest] = /^>=(\d+\.\d+)/.exec(manifest.engines.node) ?? []
    expect(nodeProblem(`${oldest}.0`)).toBeUndefined()
    expect(nodeProblem('24.1.0')).toBeUndefined()
    for (const old of ['18.20.8', '20.18.3'])
      expect(nodeProblem(old)).toContain(`needs Node ${oldest} or newer, and this is Node ${old}`)
  })
})
