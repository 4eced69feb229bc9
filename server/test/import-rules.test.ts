import { readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type SourceFile, sourceFiles } from './source-files.js'

// Who may import whom, as docs/architecture.md says it. A rule names the files it is for and what they may not import.
interface Rule {
  readonly rule: string
  readonly files: RegExp
  readonly forbidden: (imported: string, file: string) => boolean
}

const external = (name: string) =>
  !name.startsWith('@rookery/') && !/^(api|contracts|sdk|cli|web|demo|server|bench|e2e|tooling)\//.test(name)
const folderOf = (path: string) => path.match(/^server\/src\/([a-z-]+)\//)?.[1]

// Every folder of the server is a feature, but for these.
const FOUNDATIONS = ['adapters', 'chain', 'db', 'folder', 'http', 'jobs', 'peers']
const FEATURES = readdirSync(new URL('../src', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !FOUNDATIONS.includes(entry.name))
  .map(({ name }) => name)
const featureOf = (path: string) => FEATURES.find((name) => name === folderOf(path))

const BOTTOM =
  /^server\/src\/(notifications|events\/(log|order|rows|topics|event-view)\.|audit|db|adapters|peers|jobs\/queue)/

const rules: Rule[] = [
  {
    rule: 'api imports its schema library and nothing else',
    files: /^api\/src\//,
    forbidden: (name) => !name.startsWith('api/') && name !== 'typebox',
  },
  {
    rule: 'contracts/ts imports viem and nothing else',
    files: /^contracts\/ts\//,
    forbidden: (name) => !name.startsWith('contracts/ts/') && !/^viem(\/|$)/.test(name),
  },
  {
    rule: 'sdk imports api',
    files: /^sdk\/src\//,
    forbidden: (name) => !external(name) && !/^(@rookery\/api$|sdk\/)/.test(name),
  },
  {
    rule: 'cli, web and demo import sdk',
    files: /^(cli|web|demo)\/src\//,
    forbidden: (name) => !external(name) && !/^(@rookery\/(sdk$|tooling\/)|cli\/|web\/|demo\/)/.test(name),
  },
  {
    rule: 'nobody imports server except e2e, bench and tests',
    files: /^(api|contracts|sdk|cli|web|demo)\//,
    forbidden: (name) => /^(@rookery\/server|server\/)/.test(name),
  },
  {
    rule: 'only routes know the HTTP edge',
    // The pages are served beside the interface, by routes of their own.
    files: /^server\/src\/(?!http\/|pages\/)[a-z-]+\/(?!routes\.ts)/,
    forbidden: (name) => name.startsWith('server/src/http/') || name === 'fastify',
  },
  {
    rule: 'nobody imports another feature’s routes',
    files: /^server\/src\/(?!app\.ts)/,
    forbidden: (name) => /^server\/src\/.+\/routes\.js$/.test(name),
  },
  {
    rule: 'notifications, the log of events, audit, db, jobs/queue and adapters import no feature',
    files: BOTTOM,
    forbidden: (name, file) =>
      featureOf(name) !== undefined && featureOf(name) !== featureOf(file) && !BOTTOM.test(name),
  },
  {
    rule: 'the data folder imports no folder but the types of db',
    files: /^server\/src\/folder\/(?!.*\.test\.ts)/,
    forbidden: (name) => /^server\/src\/[a-z-]+\//.test(name) && !/^server\/src\/(folder\/|db\/db\.js$)/.test(name),
  },
  {
    rule: 'adapters are opened in deps.ts alone',
    files: /^server\/src\/(?!deps\.ts|adapters\/)/,
    forbidden: (name) =>
      /^server\/src\/adapters\/(limiter\/(memory|redis)|social\/(local|x|x-oembed)|login\/(local|oauth|x)|price\/chainlink|embeddings\/(local|openai)|files\/(disk|s3)|video\/(local|remote)|wake\/(peers|redis))\.js$/.test(
        name,
      ),
  },
]

interface Import {
  readonly file: string
  readonly name: string
}

const IMPORT =
  /^(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm

function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? ''
    return { file: path, name: name.startsWith('.') ? normalize(join(dirname(path), name)) : name }
  })
}

const folders = ['api/src', 'contracts/ts', 'sdk/src', 'cli/src', 'web/src', 'demo/src', 'server/src']
const files = (await Promise.all(folders.map((folder) => sourceFiles(folder)))).flat()
const imports = files.flatMap(importsOf)

describe('import rules', () => {
  test('see the code at all', () => {
    expect(files.length).toBeGreaterThan(60)
    expect(imports).toContainEqual({ file: 'server/src/app.ts', name: 'server/src/agents/routes.js' })
  })

  test('see every feature', () => {
    expect(FEATURES).toEqual(expect.arrayContaining(['agents', 'audit', 'events', 'pages', 'webhooks']))
  })

  test.each(rules)('$rule', ({ files, forbidden }) => {
    expect(imports.filter(({ file, name }) => files.test(file) && forbidden(name, file))).toEqual([])
  })

  test('the environment is read in config.ts alone; time and chance come from deps', () => {
    const domain = files.filter(({ path }) => path.startsWith('server/src/'))
    const offenders = (pattern: RegExp, allowed: RegExp) =>
      domain.filter(({ path, text }) => pattern.test(text) && !allowed.test(path)).map(({ path }) => path)
    expect(offenders(/process\.env/, /config\.ts$/)).toEqual([])
    expect(offenders(/Date\.now\(|new Date\(\)|Math\.random/, /clock\.ts$/)).toEqual([])
  })
})
