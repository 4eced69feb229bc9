import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { FLOORS, floorOf, roomOf } from '../src/floors.js'
import { findCircles, findImports, type Import, readSources } from '../src/imports.js'

// Who may import whom, as docs/architecture.md draws it.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WORKSPACES = ['api/src', 'contracts/ts', 'sdk/src', 'mcp/src', 'cli/src', 'web/src', 'demo/src', 'host/src']
const PROGRAMS = ['embedded-chain/src', 'skill-scan/src', 'server/src']
const files = [...WORKSPACES, ...PROGRAMS].flatMap((folder) => readSources(ROOT, folder))
const imports = files.flatMap(findImports)
const server = imports.filter(({ file }) => file.startsWith('server/src/'))
const inside = server.filter(({ target }) => target.startsWith('server/src/'))

const isOurs = (target: string) => target.startsWith('@rookery/') || files.some(({ path }) => path === target)
const workspaceOf = (path: string) => path.split('/')[0]

/** A rule names the files it is for, and what they must not import. */
interface Rule {
  readonly rule: string
  readonly files: RegExp
  readonly forbids: (edge: Import) => boolean
}

const rules: Rule[] = [
  {
    rule: 'api imports its schema library and nothing else',
    files: /^api\/src\//,
    forbids: ({ target }) => !target.startsWith('api/') && target !== 'typebox',
  },
  {
    rule: 'contracts/ts imports viem and nothing else',
    files: /^contracts\/ts\//,
    forbids: ({ target }) => !target.startsWith('contracts/ts/') && !/^viem(\/|$)/.test(target),
  },
  {
    rule: 'host imports nothing but Node',
    files: /^host\/src\//,
    forbids: ({ target }) => !target.startsWith('host/') && !target.startsWith('node:'),
  },
  {
    rule: 'sdk imports api and contracts without the bytecode, and nothing of Node, since it runs in browsers too',
    files: /^sdk\/src\//,
    forbids: ({ target }) =>
      target.startsWith('node:') ||
      (target.startsWith('@rookery/') && !/^@rookery\/(api|contracts\/(abi|curve|subject))$/.test(target)),
  },
  {
    rule: 'mcp imports sdk',
    files: /^mcp\/src\//,
    forbids: ({ target }) => target.startsWith('@rookery/') && target !== '@rookery/sdk',
  },
  {
    rule: 'the server imports sdk and mcp for /mcp alone, and the fences for its documents',
    files: /^server\/src\/(?!http\/mcp\.ts$)/,
    forbids: ({ file, target }) =>
      /^@rookery\/(sdk|mcp)/.test(target) &&
      !(target === '@rookery/mcp/fence' && file === 'server/src/features/documents/fence.ts'),
  },
  {
    rule: 'cli and web import sdk; cli imports mcp as well; demo imports sdk, tooling and host',
    files: /^(cli|web|demo)\/src\//,
    forbids: ({ file, target }) =>
      target.startsWith('@rookery/') &&
      target !== '@rookery/sdk' &&
      !(file.startsWith('cli/') && target === '@rookery/mcp') &&
      !(file.startsWith('demo/') && /^@rookery\/(tooling|host)/.test(target)),
  },
  {
    rule: 'nothing that is part of the product imports the server, its tools or its measurements',
    files: /^(api|contracts|sdk|mcp|cli|web|host|embedded-chain|skill-scan|server)\//,
    forbids: ({ target }) => /^@rookery\/(server|tooling|bench|evaluations|demo|e2e)(\/|$)/.test(target),
  },
  {
    rule: 'only routes know what a call carries',
    files: /^server\/src\/features\/(?!.*\/routes\.ts$)/,
    forbids: ({ target }) => target === 'server/src/call.ts',
  },
  {
    rule: 'features know neither the edge nor its library, but for the pages and the live channels',
    files: /^server\/src\/(features\/(?!pages\/|live\/routes)|foundation|adapters|base)/,
    forbids: ({ target }) => target.startsWith('server/src/http/') || target === 'fastify',
  },
  {
    rule: 'only the app imports routes',
    files: /^server\/src\/(?!app\.ts)/,
    forbids: ({ target }) => /^server\/src\/features\/.+\/routes\.ts$/.test(target),
  },
  {
    rule: 'the server opens adapters through their open.ts alone',
    files: /^server\/src\/(?!adapters\/)/,
    forbids: ({ target, isType }) =>
      !isType &&
      /^server\/src\/adapters\/[a-z-]+\/(local|redis|memory|disk|s3|x|x-oembed|oauth|chainlink|openai|remote|peers)\.ts$/.test(
        target,
      ),
  },
]

describe('imports', () => {
  test('are found at all', () => {
    expect(files.length).toBeGreaterThan(600)
    expect(imports).toContainEqual({
      file: 'server/src/app.ts',
      target: 'server/src/features/agents/routes.ts',
      isType: false,
    })
  })

  test.each(rules)('$rule', ({ files, forbids }) => {
    expect(imports.filter((edge) => files.test(edge.file) && forbids(edge))).toEqual([])
  })

  test('run down the floors of the server', () => {
    expect(server.filter(({ file }) => floorOf(file) === undefined)).toEqual([])
    expect(inside.filter(({ file, target }) => (floorOf(file) ?? 0) < (floorOf(target) ?? 0))).toEqual([])
  })

  test('tie no two rooms of the server to each other, not even by types', () => {
    const rooms = inside
      .map(({ file, target }): [string, string] => [roomOf(file), roomOf(target)])
      .filter(([from, to]) => from !== to)
    expect(findCircles(rooms)).toEqual([])
  })

  test('go in no circle', () => {
    const edges = imports
      .filter(({ target }) => isOurs(target))
      .map(({ file, target }): [string, string] => [file, target])
    expect(findCircles(edges)).toEqual([])
  })

  test('of deps.ts and call.ts take types alone', () => {
    expect(server.filter(({ file, isType }) => /^server\/src\/(deps|call)\.ts$/.test(file) && !isType)).toEqual([])
  })

  test('leave out no floor and no workspace', () => {
    expect(FLOORS.filter(({ is }) => !files.some(({ path }) => is.test(path)))).toEqual([])
    expect(new Set(files.map(({ path }) => workspaceOf(path))).size).toBe(WORKSPACES.length + PROGRAMS.length)
  })
})

describe('the server', () => {
  const offenders = (pattern: RegExp, allowed: RegExp) =>
    files
      .filter(({ path, text }) => path.startsWith('server/src/') && pattern.test(text) && !allowed.test(path))
      .map(({ path }) => path)

  test('reads the environment in config.ts alone', () => {
    expect(offenders(/process\.env/, /config\/config\.ts$/)).toEqual([])
  })

  test('takes time and chance from deps', () => {
    expect(offenders(/Date\.now\(|new Date\(\)|Math\.random/, /base\/clock\.ts$/)).toEqual([])
  })

  test('passes no dependencies to routes but those of the call', () => {
    const routes = files.filter(({ path }) => /^server\/src\/features\/[a-z-]+\/routes\.ts$/.test(path))
    const takesDeps = /export (?:async )?function \w+Routes\([^)]*\b(?:Deps|Db)\b/
    expect(routes.filter(({ text }) => takesDeps.test(text)).map(({ path }) => path)).toEqual([])
    expect(routes.length).toBeGreaterThan(15)
  })
})
