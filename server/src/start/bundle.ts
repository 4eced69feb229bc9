import { statSync } from 'node:fs'

/** The workspaces whose code is in the bundle. */
const WORKSPACES = ['api', 'contracts', 'host', 'embedded-chain', 'skill-scan', 'sdk', 'mcp', 'server']

/**
 * The address of the service in a few files, which is loaded faster; undefined if it was not made, or if something was
 * compiled since. `base` is a file in `server/dist/start`.
 */
export function findBundle(base = import.meta.url): string | undefined {
  const bundle = new URL('../bundle/run.js', base)
  const madeAt = changedAt(bundle)
  if (madeAt === undefined) return undefined
  // Where only what is needed to run was copied, there are none of these.
  const compiledAt = WORKSPACES.map((name) => changedAt(new URL(`../../../${name}/tsconfig.tsbuildinfo`, base)) ?? 0)
  return Math.max(...compiledAt) <= madeAt ? bundle.href : undefined
}

function changedAt(file: URL): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}
