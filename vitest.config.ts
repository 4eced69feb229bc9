import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { serverProjects } from './server/vitest.config.js'

const workspaces = ['api', 'contracts', 'sdk', 'cli', 'web', 'bench', 'demo', 'e2e']

export default defineConfig({
  test: {
    // Tests wait for databases, chains and browsers much of their time, so there is one worker more than cores.
    maxWorkers: availableParallelism() + 1,
    projects: [...workspaces.map((folder) => `${folder}/vitest.config.ts`), ...serverProjects],
  },
})
