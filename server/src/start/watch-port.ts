import { createServer, type Server, type ServerResponse } from 'node:http'
import { errors } from '@rookery/api'
import { Problem } from '../base/problem.js'
import type { Deps } from '../deps.js'
import type { Platform } from '../features/platform/open.js'
import { listenError } from './ports.js'

/** A port for probes and scrapers alone. */
export interface WatchPort {
  readonly port: number
  readonly server: Server
  close(): Promise<void>
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Opens the port of METRICS_PORT, by which a worker, which answers no calls, can be watched, and which keeps the metrics of
 * the others off the public port. It answers under every host name, and nothing it answers is secret.
 */
export async function openWatchPort(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  platform: Pick<Platform, 'readHealth' | 'readReadiness' | 'readMetrics'>,
): Promise<WatchPort | undefined> {
  const { METRICS_PORT, METRICS_HOST } = config
  if (METRICS_PORT === undefined) return undefined
  const answers: Readonly<Record<string, () => Promise<object | string> | object>> = {
    '/metrics': platform.readMetrics,
    '/v1/health': platform.readHealth,
    '/v1/ready': platform.readReadiness,
    '/v1/live': () => ({ status: 'live' }),
  }

  async function answer(method: string | undefined, path: string, response: ServerResponse): Promise<void> {
    const read = Object.hasOwn(answers, path) ? answers[path] : undefined
    if (!read) throw new Problem('NOT_FOUND')
    if (method !== 'GET' && method !== 'HEAD') throw new Problem('METHOD_NOT_ALLOWED')
    const found = await read()
    const isText = typeof found === 'string'
    response.setHeader('Content-Type', isText ? 'text/plain; charset=utf-8' : JSON_TYPE)
    response.end(isText ? found : JSON.stringify(found))
  }

  function refuse(error: unknown, response: ServerResponse): void {
    const problem = error instanceof Problem ? error : new Problem('INTERNAL')
    if (problem !== error) log.error({ err: error }, 'failed')
    const { status } = errors[problem.code]
    const { code, message, retryAfterSeconds } = problem
    const headers = {
      'Content-Type': JSON_TYPE,
      ...(retryAfterSeconds !== undefined && { 'Retry-After': retryAfterSeconds }),
    }
    response.writeHead(status, headers).end(JSON.stringify({ statusCode: status, code, message }))
  }

  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    answer(request.method, path, response).catch((error) => refuse(error, response))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, { PORT: METRICS_PORT, HOST: METRICS_HOST }, 'METRICS_')))
    server.listen(METRICS_PORT, METRICS_HOST, resolve)
  })
  const { port } = server.address() as { port: number }
  log.info({ host: METRICS_HOST, port }, 'probes and metrics are answered')
  return {
    port,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
