import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

// The same tests on both engines. Files named *.postgres.test.ts need several processes on one database.
function project(engine: 'embedded' | 'postgres', exclude: string[]): TestProjectInlineConfiguration {
  return {
    root: import.meta.dirname,
    resolve: { conditions: ['source'] },
    ssr: { resolve: { conditions: ['source'] } },
    test: {
      name: `server:${engine}`,
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      exclude: [...exclude, '**/node_modules/**'],
      globalSetup: './test/global-setup.ts',
      pool: 'forks',
      // Files share what a process has loaded: half the time goes into loading otherwise.
      isolate: false,
      testTimeout: 30_000,
      hookTimeout: 60_000,
    },
  }
}

export const serverProjects = [project('embedded', ['**/*.postgres.test.ts']), project('postgres', [])]

export default defineConfig({ test: { projects: serverProjects } })
