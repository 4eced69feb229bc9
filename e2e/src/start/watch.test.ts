import { createClient } from '@rookery/sdk'
import { findPostgres, startPostgres } from '@rookery/tooling/postgres'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Program, startProgram } from '../start-program.js'

/** The lines that a program has printed, each of which is JSON. */
function linesOf(program: Program): Record<string, unknown>[] {
  return program
    .output()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** The address of the port for probes, as the log says it. */
function watchUrlOf(program: Program): string {
  const line = linesOf(program).find(({ msg }) => msg === 'probes and metrics are answered')
  return `http://127.0.0.1:${line?.port}`
}

async function probe(url: string): Promise<[status: number, body: Record<string, unknown>]> {
  const answer = await fetch(url)
  return [answer.status, (await answer.json()) as Record<string, unknown>]
}

const WATCHED = { LOG_LEVEL: 'info', METRICS_PORT: '0' }
const soon = { timeout: 30_000, interval: 50 }

describe('a process with a port for probes and metrics', () => {
  test('has metrics there alone, says at once that it will stop, goes on serving, and stops when told again', async () => {
    const program = await startProgram({ env: { ...WATCHED, DRAIN_MS: '600000' } })
    onTestFinished(() => program.kill())
    const client = createClient({ baseUrl: program.url, attempts: 1 })
    expect(await probe(`${program.url}/v1/ready`)).toEqual([200, { status: 'ready' }])
    const watched = watchUrlOf(program)
    expect(await (await fetch(`${watched}/metrics`)).text()).toContain('\nrookery_jobs_waiting ')
    expect((await fetch(`${program.url}/metrics`)).status).toBe(404)
    expect((await probe(`${watched}/v1/health`))[1]).toMatchObject({ checks: { database: 'ok' } })
    expect((await fetch(`${watched}/v1/agents`)).status).toBe(404)
    expect((await fetch(`${watched}/v1/live`, { method: 'POST' })).status).toBe(405)

    const stream = await fetch(`${program.url}/v1/events?topics=tweets`)
    process.kill(program.pid, 'SIGTERM')

    await expect.poll(async () => (await probe(`${program.url}/v1/ready`))[0], soon).toBe(503)
    for (const url of [program.url, watched]) {
      const [status, body] = await probe(`${url}/v1/ready`)
      expect([status, body.code, body.message]).toEqual([503, 'NOT_READY', 'This process is about to stop.'])
      expect(await probe(`${url}/v1/live`)).toEqual([200, { status: 'live' }])
    }
    // A proxy is told to use another connection, and whoever comes all the same is served.
    expect((await fetch(`${program.url}/v1/config`)).headers.get('connection')).toBe('close')
    await client.createLocalPost({ handle: 'late', text: 'still served' })
    expect(linesOf(program)).not.toContainEqual(expect.objectContaining({ msg: 'stopped' }))

    process.kill(program.pid, 'SIGTERM')
    expect(await program.ended).toBe(0)
    // The code by which clients connect again and resume.
    expect(await stream.text()).toContain('"code":1001')
    expect(linesOf(program).map(({ msg }) => msg)).toContain('stopped')
    expect(linesOf(program)).toContainEqual(expect.objectContaining({ msg: `Rookery is ready at ${program.url}` }))
  })
})

describe.skipIf(!findPostgres())('a worker', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  beforeAll(async () => {
    postgres = await startPostgres()
  }, 60_000)
  afterAll(() => postgres.stop())

  test('is watched there, and goes on for a while before it stops', async () => {
    const env = { ...WATCHED, ROLE: 'worker', DATABASE_URL: postgres.url('postgres'), DRAIN_MS: '1000' }
    const program = await startProgram({ env: { ...env, SERVER_SECRET: 'x'.repeat(32) } })
    onTestFinished(() => program.kill())
    const watched = watchUrlOf(program)
    expect(await probe(`${watched}/v1/ready`)).toEqual([200, { status: 'ready' }])
    expect((await probe(`${watched}/v1/health`))[0]).toBe(200)
    expect(await (await fetch(`${watched}/metrics`)).text()).toContain('\nrookery_jobs_oldest_due_seconds ')
    const toldAt = performance.now()
    process.kill(program.pid, 'SIGTERM')
    expect(await program.ended).toBe(0)
    expect(performance.now() - toldAt).toBeGreaterThan(990)
    expect(linesOf(program)).toContainEqual(expect.objectContaining({ msg: 'The Rookery worker is ready' }))
  })
})
