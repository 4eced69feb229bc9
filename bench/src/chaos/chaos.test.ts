import { spawn } from 'node:child_process'
import { findRedis } from '@rookery/tooling/find-programs'
import { findPostgres } from '@rookery/tooling/postgres'
import type { Program } from '@rookery/tooling/start-program'
import { describe, expect, test } from 'vitest'
import { createFindings } from './findings.js'
import { compareOrders } from './listeners.js'
import { makeChaos } from './run.js'
import { supervise } from './supervisor.js'
import { tableOf } from './table.js'

describe('the comparison with the log', () => {
  const log = new Map([
    [1, true],
    [2, false],
    [3, true],
    [4, true],
  ])

  test('takes every event once and in order, with or without those that need not be told', () => {
    expect(compareOrders('it', [1, 2, 3, 4], log)).toEqual([])
    expect(compareOrders('it', [1, 3, 4], log)).toEqual([])
  })

  test('finds what is missing, told twice, too late or not in the log', () => {
    expect(compareOrders('it', [1, 3], log)).toEqual(['it missed 1 events: 4'])
    expect(compareOrders('it', [1, 3, 3, 4], log)).toEqual(['it got twice or too late 1 events: 3'])
    expect(compareOrders('it', [1, 4, 3], log)).toEqual(['it got twice or too late 1 events: 3'])
    expect(compareOrders('it', [1, 3, 4, 5], log)).toEqual(['it got more than the log has: 1 events: 5'])
  })
})

describe('a supervised program', () => {
  /** A program that prints a line and ends when it is told to. */
  async function startChild(code: string): Promise<Program> {
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] })
    let printed = ''
    child.stdout.on('data', (text) => {
      printed += text
    })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const end = async (signal: NodeJS.Signals) => {
      child.kill(signal)
      return ended
    }
    const pid = child.pid ?? 0
    return {
      url: '',
      dataDir: '',
      pid,
      ended,
      output: () => printed,
      stop: () => end('SIGKILL'),
      kill: async () => void (await end('SIGKILL')),
    }
  }

  test('that ends by itself is started again and told with its last lines', async () => {
    const codes = ['console.log("I give up"); process.exitCode = 3', 'setInterval(() => {}, 1000)']
    const findings = createFindings()
    const it = await supervise('web 1', () => startChild(codes.shift() ?? ''), findings)
    await expect.poll(() => codes.length === 0 && it.isUp, { timeout: 10_000 }).toBe(true)
    expect(findings.wrong).toEqual(['web 1 ended by itself with code 3. Its last lines:\n    I give up'])
    await it.stop()
  })

  test('that was killed is started again without a word', async () => {
    const findings = createFindings()
    const it = await supervise('web 1', () => startChild('setInterval(() => {}, 1000)'), findings)
    const before = it.pid
    it.kill()
    expect(it.isUp).toBe(false)
    await expect.poll(() => it.isUp && it.pid !== before, { timeout: 10_000 }).toBe(true)
    expect(findings.wrong).toEqual([])
    await it.stop()
  })
})

describe.skipIf(!findPostgres() || !findRedis())('two webs and a worker under a handful of faults', () => {
  const faults = ['kill-web', 'terminate-backends', 'freeze-redis', 'silence-chain', 'jump-clock']

  test('lose nothing, count right, and tell every event once and in order', async () => {
    const { hits, acknowledged, events, wrong } = await makeChaos({
      seconds: 1_000,
      times: faults.length,
      seed: 7,
      faults,
      writers: 6,
      readers: 3,
      listeners: 6,
      mostHeldMs: 1_500,
      patienceMs: 20_000,
      tell: () => {},
    })
    expect(wrong).toEqual([])
    expect(hits.map(({ fault }) => fault).sort()).toEqual([...faults].sort())
    expect(tableOf(hits).rows).toHaveLength(faults.length)
    expect(acknowledged).toBeGreaterThan(0)
    expect(events).toBeGreaterThan(0)
  }, 300_000)
})
