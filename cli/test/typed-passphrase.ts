import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entry } from './compiled.js'
import { temporaryFolder } from './terminal.js'

/** Types at a real terminal. */
export function describeTypedPassphrase(): void {
  // Every Linux has `script`, which gives a program a terminal; elsewhere it takes other options.
  test.runIf(process.platform === 'linux')(
    'a passphrase typed at a terminal is asked for twice and never shown',
    async () => {
      const home = temporaryFolder()
      const child = spawn('script', ['-qec', `${process.execPath} ${entry} wallet new ada`, '/dev/null'], {
        env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm' },
      })
      let screen = ''
      const answers = [/New passphrase for wallet ada: $/, /The same again: $/]
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        screen += text
        if (answers[0]?.test(screen)) {
          answers.shift()
          child.stdin.write('correct horse\r')
        }
      })
      const exitCode = await new Promise((resolve) => child.once('close', resolve))
      expect(exitCode, screen).toBe(0)
      expect(answers).toEqual([])
      expect(screen).not.toContain('correct')
      expect(existsSync(join(home, '.config/rookery/wallets/ada.json'))).toBe(true)
    },
  )
}
