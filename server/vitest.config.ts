import { defineConfig } from 'vitest/config'

// The same tests on both engines. Files named *.postgres.test.ts need several processes on one database.
const engine = (name: 'embedded' | 'postgres', exclude: string[]) => ({
  root: import.meta.dirname,
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    name: `server:${name}`,
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...exclude, '**/node_modules/**'],
    globalSetup: './test/global-setup.ts',
    pool: 'forks' as const,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})

export default defineConfig({
  test: { projects: [engine('embedded', ['**/*.postgres.test.ts']), engine('postgres', [])] },
})
