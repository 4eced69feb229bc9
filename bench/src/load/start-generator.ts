import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadReply, LoadResult, LoadTask } from './protocol.js'

export type { LoadResult }

/** One request over HTTP. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly apiKey?: string
  readonly body?: object
  /** Default 200. */
  readonly expectedStatus?: number
}

export interface LoadOptions {
  readonly connections: number
  readonly seconds: number
  /** Whether each request is sent at most once. */
  readonly isOnce?: boolean
}

/** Sends requests from its own process. */
export interface Generator {
  load(url: string, requests: readonly HttpRequest[], options: LoadOptions): Promise<LoadResult>
  stop(): Promise<void>
}

export function startGenerator(): Generator {
  const file = fileURLToPath(new URL('generator.ts', import.meta.url))
  const child = fork(file, [], { serialization: 'advanced', execArgv: ['--import', 'tsx'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    async load(url, requests, { connections, seconds, isOnce = false }) {
      const { hostname: host, port } = new URL(url)
      const task: LoadTask = { host, port: Number(port), ...wireOf(host, requests), isOnce, connections, seconds }
      const reply = await new Promise<LoadReply>((resolve, reject) => {
        const onExit = () => reject(new Error('The load generator ended'))
        child.once('exit', onExit)
        child.once('message', (message: LoadReply) => {
          child.off('exit', onExit)
          resolve(message)
        })
        child.send(task)
      })
      if ('error' in reply) throw new Error(reply.error)
      return reply.result
    },
    async stop() {
      child.disconnect()
      await ended
    },
  }
}

/** The requests in wire format, where each ends, and the status each expects. */
export function wireOf(host: string, requests: readonly HttpRequest[]): Pick<LoadTask, 'bytes' | 'ends' | 'statuses'> {
  const ends = new Uint32Array(requests.length)
  const parts = requests.map((request) => Buffer.from(textOf(host, request)))
  let end = 0
  for (const [index, part] of parts.entries()) {
    end += part.length
    ends[index] = end
  }
  const statuses = Uint16Array.from(requests, ({ expectedStatus = 200 }) => expectedStatus)
  return { bytes: Buffer.concat(parts), ends, statuses }
}

function textOf(host: string, { method, path, apiKey, body }: HttpRequest): string {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: keep-alive']
  if (apiKey !== undefined) lines.push(`X-API-Key: ${apiKey}`)
  if (text !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`)
  else if (method !== 'GET') lines.push('Content-Length: 0')
  return `${lines.join('\r\n')}\r\n\r\n${text ?? ''}`
}
