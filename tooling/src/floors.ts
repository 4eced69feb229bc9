/**
 * The floors of server/src, from the top. A file imports from its own floor and from those below it. `deps.ts` and
 * `call.ts` hold types alone, and are a floor of their own: what features stand on, and what a call carries.
 */
export const FLOORS = [
  { name: 'start', is: /^server\/src\/((main|operate|reembed|app)\.ts$|(start|operate)\/)/ },
  { name: 'http', is: /^server\/src\/http\// },
  { name: 'features', is: /^server\/src\/features\// },
  { name: 'call', is: /^server\/src\/(call|deps)\.ts$/ },
  { name: 'foundation', is: /^server\/src\/foundation\// },
  { name: 'adapters', is: /^server\/src\/adapters\// },
  { name: 'config', is: /^server\/src\/config\// },
  { name: 'base', is: /^server\/src\/base\// },
] as const

/** How high a file of the server is; higher numbers import from lower ones. */
export function floorOf(path: string): number | undefined {
  const index = FLOORS.findIndex(({ is }) => is.test(path))
  return index === -1 ? undefined : FLOORS.length - index
}

/** The folder that a file of the server belongs to: one feature, one part of the foundation, or the whole of a floor. */
export function roomOf(path: string): string {
  const [first = '', second = ''] = path.replace('server/src/', '').split('/')
  if (['features', 'foundation', 'adapters'].includes(first)) return `${first}/${second}`
  return first
}
