import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import autocannon, { type Result } from 'autocannon'
import type { Sample, Workload } from './workloads.js'

/** What a run of requests came to. */
export interface Rate {
  readonly perSecond: number
  readonly total: number
  readonly p99: number
}

export interface LoadOptions {
  readonly seconds: number
  readonly connections: number
}

let served = 0

/** Sends requests of one kind, as many as are answered. Any answer but success is an error. */
export async function load(url: string, workload: Workload, sample: Sample, options: LoadOptions): Promise<Rate> {
  const result = await autocannon({
    url,
    connections: options.connections,
    duration: options.seconds,
    requests: [
      {
        setupRequest(request) {
          const { method, path, apiKey, body } = workload.request(sample, served++)
          const headers = {
            ...(apiKey && { 'X-API-Key': apiKey }),
            ...(body && { 'Content-Type': 'application/json' }),
          }
          return { ...request, method, path, headers, ...(body && { body: JSON.stringify(body) }) }
        },
      },
    ],
  })
  if (result.errors + result.non2xx > 0)
    throw new Error(`${workload.name}: ${result.errors} errors, ${result.non2xx} answers that are not success`)
  return rateOf(result)
}

function rateOf(result: Result): Rate {
  return { perSecond: result['2xx'] / result.duration, total: result['2xx'], p99: result.latency.p99 }
}

/** A server that answers with ready bytes, to compare with. */
export interface BareServer {
  readonly pid: number
  /** The rate for answers of so many bytes. */
  load(bytes: number, options: LoadOptions): Promise<Rate>
  stop(): Promise<void>
}

export async function startBareServer(): Promise<BareServer> {
  const file = fileURLToPath(new URL('bare-server.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())))
  return {
    pid: child.pid ?? 0,
    async load(bytes, { connections, seconds }) {
      const result = await autocannon({ url, connections, duration: seconds, requests: [{ path: `/${bytes}` }] })
      return rateOf(result)
    },
    async stop() {
      child.kill()
      await ended
    },
  }
}

/** How many bytes an answer has. */
export async function answerSize(url: string, workload: Workload, sample: Sample): Promise<number> {
  const { method, path, apiKey, body } = workload.request(sample, served++)
  const response = await fetch(url + path, {
    method,
    headers: { ...(apiKey && { 'X-API-Key': apiKey }), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${workload.name} answered ${response.status}: ${await response.text()}`)
  return (await response.arrayBuffer()).byteLength
}
