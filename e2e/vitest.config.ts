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
    isolate: false,
    testTimeout: 60_000,
    // What a page shows arrives by and by, and a loaded machine takes its time.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
    // They have a condition "source" of their own, which leads to TypeScript that Node cannot load.
    server: { deps: { inline: [/modelcontextprotocol\/client/, /eventsource/] } },
  },
})
