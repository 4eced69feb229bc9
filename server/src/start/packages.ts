/** The oldest supported Node, as in package.json. */
export const OLDEST_NODE = '20.19'

/** Explains that this Node is too old; undefined if it is not. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number)
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return `it needs Node ${OLDEST_NODE} or newer, and this is Node ${version}. Install a newer one, for example from https://nodejs.org.`
}

/** Explains which package is missing when a module could not be loaded; undefined for other errors. */
export function packageProblem(error: unknown): string | undefined {
  const { code, message = '' } = error as NodeJS.ErrnoException
  if (code !== 'ERR_MODULE_NOT_FOUND') return undefined
  const [, name] = /package '([^']+)'/.exec(message) ?? []
  if (name) return `the package ${name} is not installed. Run npm ci first.`
  return 'a part of it is not built. Run npm run build first.'
}
