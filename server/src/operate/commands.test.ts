import { describe, expect, test } from 'vitest'
import { commands, findCommand, usage } from './commands.js'

describe('a command line', () => {
  const parts = (...words: string[]) => {
    const asked = findCommand(words)
    return asked && [asked.command.name, asked.args, asked.options]
  }

  test('has the name of a command, its arguments and its options, in any order', () => {
    expect(parts('jobs')).toEqual(['jobs', [], {}])
    expect(parts('jobs', '--failed', 'embed_tweet', '--json')).toEqual([
      'jobs',
      ['embed_tweet'],
      { failed: '', json: '' },
    ])
    expect(parts('hide', '--reason', 'for a reason', 'x')).toEqual(['hide', ['x'], { reason: 'for a reason' }])
    expect(parts('suspend', 'ann', '--with-wallet')).toEqual(['suspend', ['ann'], { 'with-wallet': '' }])
  })

  test('is none with another name, too few or too many arguments, or an unknown option', () => {
    const wrong = [
      [],
      ['job'],
      ['job', 'a', 'b'],
      ['nothing'],
      ['jobs', '--lost'],
      ['hide', 'x', '--reason'],
      ['--json'],
    ]
    for (const words of wrong) expect(parts(...words)).toBeUndefined()
  })

  test('is explained for every command by the table that it is read with', () => {
    for (const { name, summary } of commands) expect(usage()).toMatch(new RegExp(`-- ${name}\\b.*   ${summary}\\n`))
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length)
  })
})
