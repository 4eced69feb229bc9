import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgres } from '@rookery/tooling/postgres'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

type Engine = 'embedded' | 'postgres'

// What is about requests, rules, trades, connections, files and signatures runs on one engine. What depends on how a database orders,
// locks and counts runs on both: lists and counts of tweets, the foundation, upgrades; and so does every statement.
const ON_BOTH_ENGINES =
  /^(src\/(features\/(backup|feeds\/(feeds|for-you)|platform\/retention|tweets\/(tally|tweets))|foundation|start)|test\/(statements|upgrade))/
// A new database takes less time there.
const ONE_ENGINE: Engine = findPostgres() ? 'postgres' : 'embedded'

// The helpers of test/ that work without a database.
const WITHOUT =
  /\/(clock|fences|list-files|listen|play-video|proxy|receiver|redis|refusal|s3-server|source-files|video-provider)\.js'/

/**
 * The engines that a test runs on. Files named *.postgres.test.ts need several processes on one database, and those named
 * *.embedded.test.ts are about the embedded one.
 */
function enginesOf(file: string): readonly Engine[] {
  if (file.endsWith('.postgres.test.ts')) return ['postgres']
  if (file.endsWith('.embedded.test.ts') || !opensDatabase(file)) return ['embedded']
  return ON_BOTH_ENGINES.test(file) ? ['embedded', 'postgres'] : [ONE_ENGINE]
}

function opensDatabase(file: string): boolean {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n')
  const helpers = file.startsWith('test') ? /from '\.\// : /from '[./]+\/test\//
  return lines.some((line) => line.includes('db/connect.js') || (helpers.test(line) && !WITHOUT.test(line)))
}

const files = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).map((it) => join(folder, it)),
  )
  .filter((file) => file.endsWith('.test.ts'))

function project(engine: Engine): TestProjectInlineConfiguration {
  return {
    root: import.meta.dirname,
    resolve: { conditions: ['source'] },
    ssr: { resolve: { conditions: ['source'] } },
    test: {
      name: `server:${engine}`,
      include: files.filter((file) => enginesOf(file).includes(engine)),
      globalSetup: './test/global-setup.ts',
      pool: 'forks',
      // A database here lives for seconds: optimising the code of the embedded one takes longer than it saves.
      execArgv: ['--liftoff-only'],
      // Files share what a process has loaded: half the time goes into loading otherwise.
      isolate: false,
      testTimeout: 30_000,
      hookTimeout: 60_000,
      // They have a condition "source" of their own, which leads to TypeScript that Node cannot load.
      server: {
        deps: {
          inline: [
            /modelcontextprotocol\/sdk\/dist\/esm\/client\/streamableHttp/,
            /modelcontextprotocol\/client/,
            /eventsource/,
          ],
        },
      },
    },
  }
}

export const serverProjects = [project('embedded'), project('postgres')]

export default defineConfig({ test: { projects: serverProjects } })
