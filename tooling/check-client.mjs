import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startProgram } from './start-program.mjs'

// Makes a Python client from the running service's OpenAPI document and calls the service with it.

const PACKAGES = ['fastmcp==4.0.10', 'openapi-pydantic==0.5.1']
const venv = fileURLToPath(new URL('../node_modules/.cache/client-check', import.meta.url))
const script = fileURLToPath(new URL('check-client.py', import.meta.url))

const python = process.env.CLIENT_PYTHON ?? preparePython()
if (python === undefined) {
  console.error(
    `NOT CHECKED: no Python with ${PACKAGES.join(' and ')} can be had here. Set CLIENT_PYTHON to one that has them.`,
  )
  process.exit(1)
}
const program = await startProgram()
// The one refusal that the client provokes is not worth a trace.
const env = { ...process.env, FASTMCP_LOG_LEVEL: 'CRITICAL' }
const { status } = spawnSync(python, [script, program.url], { stdio: 'inherit', env })
await program.stop()
process.exit(status ?? 1)

/** Returns the Python of a virtual environment with the packages, or nothing where they cannot be installed. */
function preparePython() {
  const executable = `${venv}/bin/python`
  const run = (command, ...words) => spawnSync(command, words, { stdio: 'inherit' }).status === 0
  if (!existsSync(executable) && !run('python3', '-m', 'venv', venv)) return undefined
  return run(executable, '-m', 'pip', 'install', '--quiet', '--retries', '1', ...PACKAGES) ? executable : undefined
}
