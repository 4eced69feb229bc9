import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { serverProjects } from './server/vitest.config.js'

const workspaces = ['api', 'contracts', 'sdk', 'cli', 'web', 'bench', 'e2e']

export default defineConfig({
  test: {
    projects: [
      ...workspaces.map((folder) => `${folder}/vitest.config.ts`).filter((file) => existsSync(file)),
      ...serverProjects,
    ],
  },
})
