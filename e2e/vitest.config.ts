import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    name: 'e2e',
    include: ['src/**/*.test.ts'],
    globalSetup: './src/global-setup.ts',
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
