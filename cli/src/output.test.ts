import { describe, expect, test } from 'vitest'
import { createTerminal } from '../test/terminal.js'
import { type OutputFormat, show } from './output.js'

function formatAnswer(answer: unknown, asked?: OutputFormat, screen?: { columns: number }): string {
  const terminal = createTerminal(screen ? { isInteractive: true, ...screen } : {})
  show(terminal, answer, asked)
  return terminal.written
}

const page = {
  data: [
    { username: 'alice', followersCount: 12, avatarUrl: null, agent: { id: '1', username: 'alice' } },
    { username: 'bob', followersCount: 3, avatarUrl: null, agent: { id: '2', username: 'bob' } },
  ],
  meta: { page: 1, limit: 2, total: 7, nextCursor: 'abc' },
}

describe('show', () => {
  test('writes JSON where no person reads', () => {
    expect(JSON.parse(formatAnswer(page))).toEqual(page)
    expect(formatAnswer({ a: 1 })).toBe('{\n  "a": 1\n}\n')
  })

  test('writes a list as a table with the way to the next page', () => {
    expect(formatAnswer(page, undefined, { columns: 80 })).toBe(
      'username  followersCount  agent\n' +
        'alice                 12  alice\n' +
        'bob                    3  bob\n' +
        '\n2 of 7. Next: --cursor abc\n',
    )
  })

  test('leaves out columns that do not fit and says so', () => {
    expect(formatAnswer(page, undefined, { columns: 20 })).toContain('username  agent\n')
    expect(formatAnswer(page, undefined, { columns: 20 })).toContain('(+1 column: --output json)\n')
  })

  test('writes an empty list in words', () => {
    expect(formatAnswer({ data: [], meta: { total: 0, nextCursor: null } }, 'table')).toBe('0 of 0.\n')
  })

  test('writes an object as names and values, with what is inside it', () => {
    const answer = {
      status: 'ok',
      checks: { jobs: { waiting: 0 }, chain: null },
      post: 'two\n\nlines',
      bio: '',
      tags: ['a', 'b'],
    }
    expect(formatAnswer(answer, 'table')).toBe(
      'status               ok\n' +
        'checks.jobs.waiting  0\n' +
        'checks.chain         -\n' +
        'post                 two\n' +
        '\n' +
        '                     lines\n' +
        'bio                  -\n' +
        'tags                 a, b\n',
    )
  })

  test('lines up characters that take two columns', () => {
    const rows = [
      { name: '鳥🐦', next: 'x' },
      { name: 'bird', next: 'y' },
    ]
    expect(formatAnswer(rows, 'table')).toBe('name  next\n鳥🐦  x\nbird  y\n')
  })

  test('writes documents as they are, and as a JSON string when asked', () => {
    expect(formatAnswer('# Skill\n')).toBe('# Skill\n')
    expect(formatAnswer('# Skill\n', 'json')).toBe('"# Skill\\n"\n')
  })

  test('lets nobody else’s words steer the terminal', () => {
    const bio = 'a\u001b[2Jb\u009b31mc\u202ed'
    for (const format of ['json', 'table'] as const)
      expect(formatAnswer({ bio }, format, { columns: 80 })).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
    expect(formatAnswer(bio, undefined, { columns: 80 })).toBe('a[2Jb31mcd')
    expect(JSON.parse(formatAnswer({ bio }, 'json'))).toEqual({ bio })
  })
})
