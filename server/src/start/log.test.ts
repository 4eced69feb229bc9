import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createLog, textLine } from './log.js'

const at = new Date(2026, 0, 2, 12, 3, 4).getTime()
const line = (content: object) =>
  textLine(JSON.stringify({ level: 30, time: at, pid: 1, hostname: 'h', ...content }), false)

describe('a line of the log on a terminal', () => {
  test('has time, level, message and cause, and the rest as pairs', () => {
    expect(line({ method: 'GET', ms: 12.5, route: '/v1/tweets', who: 'two words', msg: 'request' })).toBe(
      '12:03:04 info  request method=GET ms=12.5 route=/v1/tweets who="two words"',
    )
    expect(line({ level: 40, message: 'connect ECONNREFUSED', msg: 'events are late' })).toBe(
      '12:03:04 warn  events are late: connect ECONNREFUSED',
    )
  })

  test('shows the stack of an error below', () => {
    const err = { type: 'Error', message: 'broken', stack: 'Error: broken\n    at here' }
    expect(line({ level: 50, err, msg: 'failed' })).toBe('12:03:04 error failed: broken\n    at here')
  })

  test('escapes control characters, so that foreign text cannot steer the terminal or begin a line', () => {
    const shown = line({ msg: 'a\x1b[2Jb\u009bc', name: 'x\u202ey', other: 'p\nq' })
    expect(shown).toBe('12:03:04 info  a\\u001b[2Jb\\u009bc name=x\\u202ey other="p\\nq"')
  })
})

describe('the log', () => {
  test.each(['json', 'text'] as const)('as %s has no headers, wherever a library puts them', (LOG_FORMAT) => {
    const lines: string[] = []
    const out = { write: (line: string) => void lines.push(line) }
    const log = createLog({ LOG_LEVEL: 'trace', LOG_FORMAT }, {}, out).child({ requestId: 'one' })
    const headers = { 'x-api-key': 'sk_secret', cookie: 'session=secret' }
    log.trace({ headers }, 'first')
    log.trace({ busboyOptions: { headers } }, 'second')
    log.trace({ request: { raw: { headers } } }, 'third')
    expect(lines).toHaveLength(3)
    expect(lines.join()).not.toContain('secret')
  })

  test('writes the lines of a turn at once, and a warning with all before it', async () => {
    const writes: string[] = []
    const log = createLog({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, {}, { write: (text) => void writes.push(text) })
    const messages = () => writes.map((text) => text.match(/(?<="msg":")\w+/g))
    log.info('first')
    log.info('second')
    expect(writes).toEqual([])
    await new Promise((resolve) => setImmediate(resolve))
    expect(messages()).toEqual([['first', 'second']])
    log.info('third')
    log.warn('fourth')
    expect(messages()).toEqual([
      ['first', 'second'],
      ['third', 'fourth'],
    ])
  })

  test('loses no line when the process ends', async () => {
    const file = JSON.stringify(new URL('log.ts', import.meta.url).href)
    const program = `const { createLog } = await import(${file})
      createLog({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }).info('the last one')
      process.exit(0)`
    const flags = ['--conditions=source', '--import', 'tsx', '--input-type=module']
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', program])
    expect(stdout).toContain('"msg":"the last one"')
  })
})
