import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMcpHandler } from '@rookery/mcp'
import { findNode } from '@rookery/tooling/node-versions'
import Fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { createFixtureServer } from '../../test/mcp-fixtures.js'
import { startServer } from '../../test/start-server.js'
import { answerErrors } from './answer-errors.js'
import { requireAccess } from './bind.js'
import { refuseForeignHosts } from './hosts.js'
import { serveMcp } from './mcp.js'
import { compileValidator } from './validate.js'

// The official conformance suite of the protocol, revisions 2025-06-18 and 2025-11-25. It runs only on Node 22. Most of its
// scenarios call tools, resources and prompts by names of its own, which the service does not have: these run against a
// second server that is mounted in the same way and has them. The rest run against the service itself.

const NODE_22 = findNode('22')
const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')

const folder = mkdtempSync(join(tmpdir(), 'rookery-conformance-'))
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  await Promise.all(closing.map((close) => close()))
  rmSync(folder, { recursive: true, force: true })
})

// The service keeps no sessions, so that any instance can answer; and it asks its clients for nothing (sampling, elicitation).
const NEED_A_SESSION = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-multiple-streams',
  'server-sse-polling',
]

const NAMES_OF_THE_SUITE = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
]

// Capabilities that the service does not declare.
const NOT_OFFERED = ['logging-set-level', 'resources-subscribe', 'resources-unsubscribe']

/** Runs the suite; fails as it does when a scenario fails that is not listed, or one passes that is. */
async function runSuite(
  url: string,
  expectedFailures: readonly string[],
): Promise<{ code: number | null; passed: string[]; output: string }> {
  const baseline = join(folder, `${closing.length}.yml`)
  writeFileSync(baseline, `server:\n${expectedFailures.map((name) => `  - ${name}\n`).join('')}`)
  const words = [
    SUITE,
    'server',
    '--url',
    url,
    '--suite',
    'all',
    '--expected-failures',
    baseline,
    '-o',
    join(folder, 'results'),
  ]
  const child = spawn(NODE_22 ?? '', words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  const passed = [...output.matchAll(/^✓ ([a-z0-9-]+): [1-9]\d* passed, 0 failed/gm)].map(([, name = '']) => name)
  return { code, passed, output }
}

describe.skipIf(!NODE_22)('the conformance suite', () => {
  test('passes against the service in all that needs none of its own names', async () => {
    const server = await startServer()
    closing.push(server.stop)
    const { code, passed, output } = await runSuite(`${server.url}/mcp`, [
      ...NEED_A_SESSION,
      ...NAMES_OF_THE_SUITE,
      ...NOT_OFFERED,
    ])
    expect([code, code === 0 ? '' : output]).toEqual([0, ''])
    expect(passed).toEqual(
      expect.arrayContaining([
        'server-initialize',
        'ping',
        'completion-complete',
        'tools-list',
        'resources-list',
        'prompts-list',
        'dns-rebinding-protection',
      ]),
    )
  })

  test('passes against its own names on the same mount, but for what needs a session', async () => {
    const app = Fastify()
    app.setValidatorCompiler(compileValidator)
    requireAccess(app)
    answerErrors(app, { webUrl: 'http://localhost' })
    refuseForeignHosts(app, { HOST: '127.0.0.1', webUrl: 'http://localhost', webOrigins: [] } as never)
    const edge = {
      authenticate: async () => ({ caller: { kind: 'anyone' as const } }),
      rateLimit: async () => {},
      deps: { config: { webOrigins: [], version: '1' }, log: app.log },
    }
    serveMcp(
      app,
      edge,
      () => true,
      async () => ({ createMcpHandler, createMcpServer: createFixtureServer }),
    )
    closing.push(() => app.close())
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const { code, passed, output } = await runSuite(`${url}/mcp`, NEED_A_SESSION)
    expect([code, code === 0 ? '' : output]).toEqual([0, ''])
    expect(passed).toEqual(expect.arrayContaining([...NAMES_OF_THE_SUITE, ...NOT_OFFERED]))
  })
})
