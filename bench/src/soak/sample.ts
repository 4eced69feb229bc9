/** What a process uses at one moment, as its own metrics say. */
export interface Sample {
  readonly seconds: number
  readonly residentMb: number
  readonly heapMb: number
  readonly externalMb: number
  /** Open files and connections. The embedded database keeps one open for each of its tables and indexes. */
  readonly files: number
  /** What keeps the event loop busy: timers, sockets, requests under way. */
  readonly resources: number
  /** Connections of all kinds, those of the database included. */
  readonly sockets: number
  readonly loopDelayMs: number
  readonly waitingJobs: number
}

const MB = 1024 * 1024

export async function readSample(url: string, seconds: number): Promise<Sample> {
  const response = await fetch(`${url}/metrics`)
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`)
  const figures = readFigures(await response.text())
  const figure = (name: string) => figures.get(name) ?? 0
  return {
    seconds,
    residentMb: figure('process_resident_memory_bytes') / MB,
    heapMb: figure('nodejs_heap_size_used_bytes') / MB,
    externalMb: figure('nodejs_external_memory_bytes') / MB,
    files: figure('process_open_fds'),
    resources: figure('nodejs_active_resources_total'),
    sockets: figure('nodejs_active_handles{type="Socket"}'),
    loopDelayMs: figure('nodejs_eventloop_lag_p99_seconds') * 1000,
    waitingJobs: figure('rookery_jobs_waiting'),
  }
}

/** Reads the figures of a page in the format of Prometheus, by name and labels. */
export function readFigures(page: string): Map<string, number> {
  return new Map(
    page
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))]
      }),
  )
}
