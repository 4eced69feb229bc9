import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  test: { name: 'host', include: ['src/**/*.test.ts'], testTimeout: 30_000 },
})
