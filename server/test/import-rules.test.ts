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
  !name.startsWith('@rookery/') && !/^(api|contracts|sdk|cli|web|demo|server|bench|e2e)\//.test(name)
const FEATURES =
  'agents|follows|tweets|feeds|shares|skills|notifications|media|videos|owners|platform|documents|local|search|control'
const featureOf = (path: string) => path.match(new RegExp(`^server/src/(${FEATURES})/`))?.[1]

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
    rule: 'sdk imports api and contracts',
    files: /^sdk\/src\//,
    forbidden: (name) => !external(name) && !/^(@rookery\/(api|contracts)$|sdk\/)/.test(name),
  },
  {
    rule: 'cli, web and demo import sdk',
    files: /^(cli|web|demo)\/src\//,
    forbidden: (name) => !external(name) && !/^(@rookery\/sdk$|cli\/|web\/|demo\/)/.test(name),
  },
  {
    rule: 'nobody imports server except e2e, bench and tests',
    files: /^(api|contracts|sdk|cli|web|demo)\//,
    forbidden: (name) => /^(@rookery\/server|server\/)/.test(name),
  },
  {
    rule: 'only routes know the HTTP edge',
    files: new RegExp(`^server/src/(${FEATURES}|chain|events|webhooks|jobs|adapters|db)/(?!routes\\.ts|jobs\\.ts)`),
    forbidden: (name) => name.startsWith('server/src/http/') || name === 'fastify',
  },
  {
    rule: 'nobody imports another feature’s routes',
    files: /^server\/src\/(?!app\.ts)/,
    forbidden: (name) => /^server\/src\/.+\/routes\.js$/.test(name),
  },
  {
    rule: 'notifications, the log of events, audit, db, jobs/queue and adapters import no feature',
    files: /^server\/src\/(notifications|events\/(log|order|rows|topics)\.|audit|db|adapters|peers|jobs\/queue)/,
    forbidden: (name, file) => featureOf(name) !== undefined && featureOf(name) !== featureOf(file),
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
