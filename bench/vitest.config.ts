import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: { name: 'bench', include: ['src/**/*.test.ts'], pool: 'forks', testTimeout: 180_000, hookTimeout: 60_000 },
})
