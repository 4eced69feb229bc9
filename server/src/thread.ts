import { type ResourceLimits, Worker } from 'node:worker_threads'

/** Starts a thread on a compiled file given relative to `base`, or on its source when `base` is run from source. */
export function startThread(
  file: `./${string}.js`,
  base: string,
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
): Worker {
  const options = { workerData, resourceLimits }
  if (!base.endsWith('.ts')) return new Worker(new URL(file, base), options)
  // Run from source, the thread has to learn TypeScript first.
  const source = new URL(file.replace(/js$/, 'ts'), base).href
  const code = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(source)})))`
  return new Worker(code, { eval: true, ...options })
}
