import { nodeProblem, packageProblem } from './start/packages.js'

// Nothing else is imported before these checks: an old Node or a missing package would print a stack trace.
try {
  const problem = nodeProblem(process.versions.node)
  if (problem) refuse(problem)
  else await (await import('./start/run.js')).run()
} catch (error) {
  const problem = packageProblem(error)
  if (!problem) throw error
  refuse(problem)
}

function refuse(problem: string): void {
  process.stderr.write(`Rookery cannot start: ${problem}\n`)
  process.exitCode = 1
}
