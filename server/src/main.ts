import { findBundle } from './start/bundle.js'
import { nodeProblem, packageProblem } from './start/packages.js'

// Nothing else is imported before these checks: an old Node or a missing package would print a stack trace.
try {
  const problem = nodeProblem(process.versions.node)
  if (problem) refuse(problem)
  else await (await load()).run()
} catch (error) {
  const problem = packageProblem(error)
  if (!problem) throw error
  refuse(problem)
}

function load(): Promise<typeof import('./start/run.js')> {
  const bundle = findBundle()
  return bundle ? import(bundle) : import('./start/run.js')
}

function refuse(problem: string): void {
  process.stderr.write(`Rookery cannot start: ${problem}\n`)
  process.exitCode = 1
}
