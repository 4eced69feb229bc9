import { defineConfig } from 'vitest/config'

export default defineConfig({
  tsconfig: './tsconfig.test.json',
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: { include: ['test/**/*.test.ts'], pool: 'forks', testTimeout: 30_000 },
})
