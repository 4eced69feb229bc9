// Imported first by every npm script: says in one line that Node is too old or that packages are missing.
// Old versions of Node must be able to parse it and its importers: nothing newer than ES2019, no packages.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OLDEST = [20, 19]

const problem = nodeProblem() || packageProblem()
if (problem) {
  console.error(problem)
  process.exit(1)
}

function nodeProblem() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined
  const needed = OLDEST.join('.')
  return `Rookery needs Node ${needed} or newer, and this is Node ${process.versions.node}. Install a newer one, for example from https://nodejs.org.`
}

function packageProblem() {
  if (!existsSync(join(ROOT, 'node_modules'))) return 'The packages are not installed. Run npm ci first.'
  const [wanted, present] = [packagesIn('package-lock.json'), packagesIn('node_modules/.package-lock.json')]
  // An install for production leaves out the tools that build and test.
  const hasTools = Object.keys(present).some((path) => present[path].dev)
  const missing = Object.keys(wanted).find((path) => isMissing(path, wanted[path], present[path], hasTools))
  if (!missing) return undefined
  const name = missing.replace(/^.*node_modules\//, '')
  return `The packages are not installed completely: ${name} is missing or of another version. Run npm ci first.`
}

function isMissing(path, wanted, present, hasTools) {
  if (!path.includes('node_modules/') || wanted.link || wanted.optional || wanted.devOptional) return false
  if (wanted.dev && !hasTools) return false
  // Tools other than npm leave no list of versions.
  if (present && present.version !== wanted.version) return true
  return !existsSync(join(ROOT, path, 'package.json'))
}

function packagesIn(file) {
  return existsSync(join(ROOT, file)) ? JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages : {}
}
