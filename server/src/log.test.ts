import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** Runs a program that has a log; returns it and what it has written so far. */
function run(body: string) {
  const file = fileURLToPath(new URL('log.ts', import.meta.url))
  const program = `import { createLog } from ${JSON.stringify(file)}; const log = createLog('info'); ${body}`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text
  })
  return {
    child,
    lines: () =>
      written
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).msg as string),
  }
}

describe('the log', () => {
  test('has every line when the program ends, in order', async () => {
    const { child, lines } = run(`for (let n = 0; n < 500; n++) log.info(String(n))`)
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    expect(lines()).toEqual(Array.from({ length: 500 }, (_, n) => String(n)))
  })

  test('has it too when the program ends by an error', async () => {
    const { child, lines } = run(`log.info('before'); setTimeout(() => { throw new Error('unforeseen') })`)
    const [code] = await once(child, 'close')
    expect([code, lines()]).toEqual([1, ['before']])
  })

  test('tells while the program runs', async () => {
    const { child, lines } = run(`log.info('one line'); setInterval(() => {}, 1000)`)
    await once(child.stdout, 'data')
    expect(lines()).toEqual(['one line'])
    child.kill('SIGKILL')
  })

  test('does not stop a program whose reader stands still', async () => {
    const { child } = run(`for (let n = 0; n < 5_000; n++) log.info('x'.repeat(200)); log.warn('the last')
      setTimeout(() => process.stderr.write('alive'), 500); setInterval(() => {}, 1000)`)
    child.stdout.pause()
    expect(String(await once(child.stderr, 'data'))).toBe('alive')
    child.kill('SIGKILL')
  })

  test('goes on when nobody reads it any more', async () => {
    const { child } = run(`let n = 0; setInterval(() => {
      log.info('line'); log.warn('warning'); if (++n === 40) { process.stderr.write('alive'); process.exit(0) } }, 10)`)
    child.stdout.destroy()
    const told = once(child.stderr, 'data')
    expect(String(await told)).toBe('alive')
  })
})
