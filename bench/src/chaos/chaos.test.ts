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

  test('accepts every event once and in order, with or without optional ones', () => {
    expect(compareOrders('web', [1, 2, 3, 4], log)).toEqual([])
    expect(compareOrders('web', [1, 3, 4], log)).toEqual([])
  })

  test('finds events that are missing, repeated, out of order or not in the log', () => {
    expect(compareOrders('web', [1, 3], log)).toEqual(['web missed 1 events: 4'])
    expect(compareOrders('web', [1, 3, 3, 4], log)).toEqual(['web received twice or out of order 1 events: 3'])
    expect(compareOrders('web', [1, 4, 3], log)).toEqual(['web received twice or out of order 1 events: 3'])
    expect(compareOrders('web', [1, 3, 4, 5], log)).toEqual(['web received what the log does not have: 1 events: 5'])
  })
})

describe('a supervised program', () => {
  /** Starts a program that runs the code and stops on a signal. */
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

  test('that exits by itself is restarted and reported with its last lines', async () => {
    const codes = ['console.log("I give up"); process.exitCode = 3', 'setInterval(() => {}, 1000)']
    const findings = createFindings()
    const program = await supervise('web 1', () => startChild(codes.shift() ?? ''), findings)
    await expect.poll(() => codes.length === 0 && program.isUp, { timeout: 10_000 }).toBe(true)
    expect(findings.wrong).toEqual(['web 1 ended by itself with code 3. Its last lines:\n    I give up'])
    await program.stop()
  })

  test('that was killed is restarted without a report', async () => {
    const findings = createFindings()
    const program = await supervise('web 1', () => startChild('setInterval(() => {}, 1000)'), findings)
    const before = program.pid
    program.kill()
    expect(program.isUp).toBe(false)
    await expect.poll(() => program.isUp && program.pid !== before, { timeout: 10_000 }).toBe(true)
    expect(findings.wrong).toEqual([])
    await program.stop()
  })
})

describe.skipIf(!findPostgres() || !findRedis())('two webs and a worker under a handful of faults', () => {
  const faults = ['kill-web', 'terminate-backends', 'freeze-redis', 'silence-chain', 'jump-clock']

  test('lose nothing, count correctly, and send every event once and in order', async () => {
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
      report: () => {},
    })
    expect(wrong).toEqual([])
    expect(hits.map(({ fault }) => fault).sort()).toEqual([...faults].sort())
    expect(tableOf(hits).rows).toHaveLength(faults.length)
    expect(acknowledged).toBeGreaterThan(0)
    expect(events).toBeGreaterThan(0)
  }, 300_000)
})
