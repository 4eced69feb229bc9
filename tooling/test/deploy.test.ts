import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments, parseDocument } from 'yaml'
import { findOnPath } from '../find-programs.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const variables = [...read('.env.example').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name)
// Set by the image for everything in it.
const MAY_BE_SET = ['NODE_ENV', ...variables]
const SECRET = /SECRET|PRIVATE_KEY|TOKEN|PASSWORD|DATABASE_URL|REDIS_URL|API_KEY|ACCESS_KEY/

interface Service {
  readonly image: string
  readonly environment?: Record<string, string>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly command?: readonly string[]
  readonly build?: object
  readonly depends_on?: object
}

/** The source of a compiled file. */
const sourceOf = (compiled: string) => compiled.replace('/dist/', '/src/').replace(/\.js$/, '.ts')

describe('the image', () => {
  const text = read('Dockerfile')

  test('runs a file that the folder for production has, as nobody, and says whether it lives', () => {
    const [, compiled = ''] = /^CMD \["node", "([^"]+)"\]/m.exec(text) ?? []
    expect(read(sourceOf(compiled))).not.toBe('')
    const [from, to] = [/^USER (\d+)/m.exec(text), /^HEALTHCHECK/m.exec(text)]
    expect(Number(from?.[1])).toBeGreaterThan(0)
    expect(to).not.toBeNull()
    expect(text).toContain('/v1/live')
  })

  test('sets variables that the service reads', () => {
    const names = [...(/^ENV (.*)$/m.exec(text)?.[1] ?? '').matchAll(/([A-Z_]+)=/g)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(3)
    expect(names.filter((name) => !MAY_BE_SET.includes(name ?? ''))).toEqual([])
  })

  test('is built from what the folder for production is made of, without what git ignores', () => {
    const ignored = read('.dockerignore').split('\n')
    const copied = [...read('tooling/production.mjs').matchAll(/^ {2}'([\w./-]+)',$/gm)].map(([, path = '']) => path)
    expect(copied).toContain('server/migrations')
    const isLost = (path: string) =>
      ignored.some((line) => line !== '' && (path === line || path.startsWith(`${line}/`)))
    expect(copied.filter(isLost)).toEqual([])
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/.env', '**/node_modules', 'dist-production']))
  })
})

describe('compose.yaml', () => {
  const text = read('deploy/compose/compose.yaml')
  const document = parse(text, { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, unknown>
  }
  const ours = Object.entries(document.services).filter(([, { image }]) => image.includes('rookery'))

  test('has two web instances, a worker and a chain, without rights that they do not need', () => {
    expect(ours.map(([name]) => name)).toEqual(['web-1', 'web-2', 'worker', 'chain'])
    for (const [name, { read_only, cap_drop }] of ours)
      expect([name, read_only, cap_drop]).toEqual([name, true, ['ALL']])
  })

  test('builds the image once, and waits for the bucket', () => {
    expect(ours.filter(([, { build }]) => build).map(([name]) => name)).toEqual(['web-1'])
    for (const [name, { depends_on }] of ours.filter(([name]) => name !== 'chain'))
      expect([name, depends_on]).toMatchObject([name, { bucket: { condition: 'service_completed_successfully' } }])
  })

  test('sets variables that the service reads', () => {
    for (const [name, { environment = {} }] of ours)
      expect([name, Object.keys(environment).filter((name) => !variables.includes(name))]).toEqual([name, []])
  })

  test('runs files that the folder for production has', () => {
    for (const [, { command }] of ours) if (command) expect(read(sourceOf(command[1] ?? ''))).not.toBe('')
  })

  test('opens ports to this machine alone', () => {
    const ports = Object.values(document.services).flatMap(({ ports = [] }) => ports)
    expect(ports).toHaveLength(2)
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  })

  test('has every secret from outside, and an example that the service refuses in public', () => {
    const values = [...text.matchAll(/\$\{([A-Z0-9_]+):-([^}]*)\}/g)]
    const made = [...read('tooling/secrets.mjs').matchAll(/^ {2}([A-Z0-9_]+):/gm)].map(([, name]) => name)
    const secrets = values.filter(([, name = '']) => SECRET.test(name) || name.endsWith('_KEY'))
    expect([...new Set(secrets.map(([, name]) => name))].sort()).toEqual(
      made.filter((name) => name !== 'S3_KEY_ID').sort(),
    )
    for (const [, name, value] of secrets) expect(`${name}: ${value}`).toMatch(/: (example-|0x6578616d706c652d)/)
  })

  test('names volumes and servers that it has', () => {
    const volumes = Object.values(document.services).flatMap(({ volumes = [] }) => volumes)
    const named = volumes.map((volume) => volume.split(':')[0] ?? '').filter((name) => !name.startsWith('.'))
    expect([...new Set(named)].sort()).toEqual(Object.keys(document.volumes).sort())
    const servers = [...read('deploy/compose/nginx.conf').matchAll(/^ +server ([\w-]+):3000/gm)].map(([, name]) => name)
    expect(servers).toEqual(['web-1', 'web-2'])
  })
})

describe('the chart', () => {
  const CHART = 'deploy/helm/rookery'
  const values = parse(read(`${CHART}/values.yaml`)) as Record<string, unknown> & { settings: Record<string, string> }
  const templates = readdirSync(join(ROOT, CHART, 'templates')).map((name) => read(`${CHART}/templates/${name}`))

  test('is valid, and is of this version', () => {
    const errors = ['Chart.yaml', 'values.yaml'].flatMap((file) => parseDocument(read(`${CHART}/${file}`)).errors)
    expect(errors).toEqual([])
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(parse(read(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version })
  })

  test('sets variables that the service reads, and no secrets', () => {
    const names = Object.keys(values.settings)
    expect(names.filter((name) => !variables.includes(name))).toEqual([])
    expect(names.filter((name) => SECRET.test(name))).toEqual([])
  })

  test('uses values that exist', () => {
    const used = templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path))
    const own = templates.flatMap((text) => [...text.matchAll(/\$own\.([\w.]+)/g)].map(([, path = '']) => path))
    const paths = [...used, ...own.flatMap((path) => [`web.${path}`, `worker.${path}`])]
    expect(paths.length).toBeGreaterThan(40)
    const find = (path: string) =>
      path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], values)
    expect(paths.filter((path) => find(path) === undefined)).toEqual([])
  })

  test('closes every block that it opens', () => {
    for (const text of templates) {
      const words = [...text.matchAll(/\{\{-? *(if|range|with|define|end)\b/g)].map(([, word]) => word)
      expect(words.filter((word) => word === 'end')).toHaveLength(words.length / 2)
    }
  })

  test('takes in hand each role with its limits, and looks at the port for probes', () => {
    const text = templates.join('\n')
    for (const part of [
      'readOnlyRootFilesystem: true',
      'runAsNonRoot: true',
      '/v1/live',
      '/v1/ready',
      'operate.js, migrate',
    ])
      expect(text).toContain(part)
    const { METRICS_PORT } = Object.fromEntries(
      [...read('Dockerfile').matchAll(/([A-Z_]+)=(\S+)/g)].map((it) => it.slice(1)),
    )
    expect(text).toContain(`containerPort: ${METRICS_PORT}`)
  })
})

// The system's packages have no Helm, and containers no systemd: each is used where it is.
if (findOnPath('helm')) describe('Helm', describeHelm)
else console.warn('Helm is not on the path: it does not render the chart.')

function describeHelm() {
  const CHART = join(ROOT, 'deploy/helm/rookery')
  const on = { enabled: true }
  const values = {
    existingSecret: 'own',
    settings: { WEB_URL: 'https://rookery.example', CHAIN_START_BLOCK: 41_234_567 },
    web: { autoscaling: on },
    worker: { autoscaling: on },
    ingress: { ...on, host: 'rookery.example' },
    podMonitor: on,
  }
  const helm = (args: readonly string[], given: object) =>
    spawnSync('helm', [...args, '--values', '-'], { encoding: 'utf8', input: JSON.stringify(given) })

  test('finds no fault in the chart', () => {
    expect(helm(['lint', '--strict', CHART], values)).toMatchObject({ status: 0 })
  })

  test('renders it with everything, and not without the Secret', () => {
    const { stdout, status } = helm(['template', 'own', CHART], values)
    const kinds = parseAllDocuments(stdout).map((it) => (it.toJS() as { kind: string } | null)?.kind)
    expect([status, new Set(kinds.filter(Boolean)).size]).toEqual([0, 9])
    expect(stdout).toContain('name: CHAIN_START_BLOCK, value: "41234567"')
    expect(helm(['template', 'own', CHART], {}).stderr).toContain('existingSecret must name')
  })
}

if (findOnPath('systemd-analyze')) test('the unit of systemd has no fault that systemd knows', verifyUnit)
else console.warn('systemd-analyze is not on the path: it does not verify the unit.')

function verifyUnit() {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'rookery@web.service')
  writeFileSync(file, read('deploy/systemd/rookery@.service').replace('/usr/bin/node', process.execPath))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
}

test('the unit of systemd sets variables that the service reads', () => {
  const unit = read('deploy/systemd/rookery@.service')
  const names = [...unit.matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(names).toContain('ROLE')
  expect(names.filter((name) => !MAY_BE_SET.includes(name ?? ''))).toEqual([])
})
