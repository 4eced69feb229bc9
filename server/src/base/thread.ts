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
  // Whoever runs from source has Node look for sources, which a compiled program does not understand.
  if (!isSource) return new Worker(url, base.endsWith('.ts') ? { ...options, execArgv: [] } : options)
  // Run from source, the thread has to learn TypeScript first.
  const code = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(url.href)})))`
  return new Worker(code, { eval: true, ...options })
}
