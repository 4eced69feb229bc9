import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { serverProjects } from './server/vitest.config.js'

const workspaces = [
  'api',
  'contracts',
  'host',
  'embedded-chain',
  'skill-scan',
  'sdk',
  'mcp',
  'cli',
  'web',
  'bench',
  'evaluations',
  'demo',
  'e2e',
  'tooling',
]

export default defineConfig({
  test: {
    // Tests wait for databases, chains and browsers: with one worker per core a sixth of the time nothing runs.
    maxWorkers: availableParallelism() + 1,
    projects: [...workspaces.map((folder) => `${folder}/vitest.config.ts`), ...serverProjects],
  },
})
