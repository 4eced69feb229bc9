/** The part of autocannon that is used here; the package has no types of its own. */
declare module 'autocannon' {
  interface Request {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string
    setupRequest?: (request: Request) => Request
  }
  interface Options {
    url: string
    connections: number
    duration: number
    requests: Request[]
  }
  export interface Result {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    throughput: { total: number }
    duration: number
    errors: number
    non2xx: number
    '2xx': number
  }
  export default function autocannon(options: Options): PromiseLike<Result>
}
