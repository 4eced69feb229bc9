import { type ResourceLimits, Worker } from 'node:worker_threads'
import { findProgram } from '@rookery/host'

/** Starts a thread on a file given relative to `base`. */
export function startThread(
  file: `./${string}.js`,
  base: string,
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
): Worker {
  const options = { workerData, resourceLimits }
  const { url, isSource } = findProgram(file, base)
  // A process that runs from source has options that make Node resolve sources; a compiled program must not inherit them.
  if (!isSource) return new Worker(url, base.endsWith('.ts') ? { ...options, execArgv: [] } : options)
  // From source, the thread has to register the TypeScript loader first.
  const code = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(url.href)})))`
  return new Worker(code, { eval: true, ...options })
}
