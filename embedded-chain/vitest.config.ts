import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    name: 'embedded-chain',
    include: ['src/**/*.test.ts'],
    pool: 'forks',
    // Files share what a process has loaded, which is the EVM.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
