import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: { name: 'demo', include: ['src/**/*.test.ts'], pool: 'forks', testTimeout: 120_000, hookTimeout: 120_000 },
})
