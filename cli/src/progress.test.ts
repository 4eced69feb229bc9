import { EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startEchoServer } from '../test/echo-server.js'
import { createTerminal, runHere, temporaryFolder } from '../test/terminal.js'
import { createInterrupts } from './interrupts.js'
import { startProgress } from './progress.js'

function start(drawsProgress: boolean) {
  let time = 0
  const terminal = createTerminal({ drawsProgress, columns: 60 })
  const progress = startProgress(terminal, () => time)
  const pass = (ms: number) => {
    time += ms
  }
  return { terminal, progress, pass }
}

describe('progress', () => {
  test('is a bar that redraws itself and goes away, for people', () => {
    const { terminal, progress, pass } = start(true)
    progress.show('cat.png', 0.25)
    progress.show('too soon', 0.3)
    pass(100)
    progress.show('cat.png', 0.5)
    progress.end()
    expect(terminal.noted.split('\r\u001b[2K')).toEqual([
      '',
      `${'█'.repeat(6)}${'░'.repeat(18)} 25 %  cat.png`,
      `${'█'.repeat(12)}${'░'.repeat(12)} 50 %  cat.png`,
      '',
    ])
  })

  test('is a plain line now and then elsewhere, and none for what is over soon', () => {
    const { terminal, progress, pass } = start(false)
    progress.show('cat.png', 0.1)
    expect(terminal.noted).toBe('')
    pass(3_000)
    progress.show('cat.png', 0.4)
    pass(9_999)
    progress.show('too soon', 0.5)
    progress.end()
    expect(terminal.noted).toBe('cat.png 40 %\n')
  })
})

describe('an upload', () => {
  const folder = temporaryFolder()
  const picture = join(folder, 'cat.png')
  writeFileSync(picture, Buffer.alloc(200_000, 'meow'))

  test('shows how much of the file has been sent, and sends all of it', async () => {
    const server = await startEchoServer(() => ({ status: 201, body: { url: 'u', type: 'image', size: 1 } }))
    afterAll(() => server.close())
    const env = { HOME: folder, ROOKERY_URL: server.url, ROOKERY_API_KEY: 'sk_x' }
    const { exitCode, out, err } = await runHere(['upload', picture], { env, drawsProgress: true })
    expect(exitCode, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ url: 'u' })
    expect(err).toMatch(/ % {2}cat\.png, 0\.\d of 0\.2 MB/)
    expect(String(server.received[0]?.body).match(/meow/g)).toHaveLength(50_000)
  })

  test('that is interrupted says so, with an exit code of its own', async () => {
    let interrupt = () => {}
    const server = await startEchoServer(() => {
      interrupt()
      return { status: 201, body: { url: 'u', type: 'image', size: 1 } }
    })
    afterAll(() => server.close())
    const env = { HOME: folder, ROOKERY_URL: server.url, ROOKERY_API_KEY: 'sk_x' }
    const onInterrupt = (stop: () => void) => {
      interrupt = stop
      return () => {}
    }
    const { exitCode, out, err } = await runHere(['upload', picture], { env, onInterrupt })
    expect([exitCode, out, err]).toEqual([130, '', 'INTERRUPTED: cat.png was not uploaded.\n'])
  })
})

describe('an interrupt', () => {
  test('reaches who asked for it, once; the next one ends the program', () => {
    const source = new EventEmitter()
    const onInterrupt = createInterrupts(source)
    const heard: string[] = []
    onInterrupt(() => heard.push('first'))
    onInterrupt(() => heard.push('released'))()
    onInterrupt(() => heard.push('second'))
    source.emit('SIGINT')
    expect(heard).toEqual(['first', 'second'])
    expect(source.listenerCount('SIGINT')).toBe(0)
  })

  test('is left to the system when nobody asks any more', () => {
    const source = new EventEmitter()
    createInterrupts(source)(() => {})()
    expect(source.listenerCount('SIGINT') + source.listenerCount('SIGTERM')).toBe(0)
  })
})
