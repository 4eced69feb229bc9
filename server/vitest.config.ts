import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

// The same tests on both engines. Files named *.postgres.test.ts need several processes on one database, and those named
// *.embedded.test.ts are about the embedded one.
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

// The helpers of test/ that work without a database.
const WITHOUT =
  /\/(clock|fences|list-files|listen|play-video|proxy|receiver|redis|refusal|s3-server|source-files|video-provider)\.js'/

/** Tests that open no database, which run once. */
function withoutDatabase(): string[] {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).map((it) => join(folder, it)),
  )
  return files.filter((file) => file.endsWith('.test.ts') && !opensDatabase(file))
}

function opensDatabase(file: string): boolean {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n')
  const helpers = file.startsWith('test') ? /from '\.\// : /from '[./]+\/test\//
  return lines.some((line) => line.includes('db/connect.js') || (helpers.test(line) && !WITHOUT.test(line)))
}

// What the edge does with requests and answers, whatever the database: once is enough.
const ABOUT_HTTP = [
  'src/http/!(*.postgres).test.ts',
  'src/features/documents/**',
  'src/features/pages/**',
  'test/exits.test.ts',
]

export const serverProjects = [
  project('embedded', ['**/*.postgres.test.ts']),
  project('postgres', ['**/*.embedded.test.ts', ...ABOUT_HTTP, ...withoutDatabase()]),
]

export default defineConfig({ test: { projects: serverProjects } })
