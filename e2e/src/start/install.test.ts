import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode, OLD_NODE, SUPPORTED_NODES } from '@rookery/tooling/node-versions'
import { describe, expect, test } from 'vitest'
import { startProgram } from '../start-program.js'
import { begin, makeFolder, sentenceOf } from './attempt.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as { scripts: Record<string, string>; engines: { node: string } }

// These check the installation themselves, so that signals reach them without a shell in between.
const ENTRIES = ['tooling/start.mjs', 'tooling/dev.mjs', 'tooling/build.mjs']

describe('what npm runs', () => {
  test('checks the installation before anything else', () => {
    const { check, provision, image, secrets, ...others } = manifest.scripts
    expect(check).toBe('npm run lint && npm run types')
    // These need no packages.
    for (const [name, command] of Object.entries({ provision, image, secrets })) {
      expect(command).toBe(`node tooling/${name}.mjs`)
      expect(read(`tooling/${name}.mjs`)).not.toMatch(/from '[^.n]/)
    }
    const first = new RegExp(`^node (tooling/check-install\\.mjs &&|(${ENTRIES.join('|')})( |$))`)
    for (const command of Object.values(others)) expect(command).toMatch(first)
    for (const entry of ENTRIES) expect(/^import.*/m.exec(read(entry))?.[0]).toBe("import './check-install.mjs'")
  })

  test.each([...ENTRIES, 'tooling/check-install.mjs'])('by %s says what to run before npm ci', async (script) => {
    const folder = await makeFolder()
    for (const part of ['tooling', 'package.json', 'package-lock.json'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true })
    const attempt = async () => sentenceOf(await begin({}, { cwd: folder, script: join(folder, script) }).ended)
    expect(await attempt()).toBe('The packages are not installed. Run npm ci first.')
    mkdirSync(join(folder, 'node_modules'))
    expect(await attempt()).toMatch(
      /^The packages are not installed completely: \S+ is missing or .*\. Run npm ci first\.$/,
    )
  })

  test('by hand, without packages, says so too', async () => {
    const folder = await makeFolder()
    cpSync(join(ROOT, 'server/dist'), join(folder, 'dist'), { recursive: true })
    cpSync(join(ROOT, 'server/package.json'), join(folder, 'package.json'))
    const ended = await begin({}, { cwd: folder, script: join(folder, 'dist/main.js') }).ended
    expect(sentenceOf(ended)).toMatch(/^Rookery cannot start: the package \S+ is not installed\. Run npm ci first\.$/)
  })
})

const old = findNode(OLD_NODE)

describe.skipIf(!old)(`Node ${OLD_NODE}`, () => {
  test.each([...ENTRIES, 'tooling/check-install.mjs'])('is told by %s to be too old', async (script) => {
    const ended = await begin({}, { script: join(ROOT, script), ...(old && { node: old }) }).ended
    expect(sentenceOf(ended)).toBe(
      `Rookery needs Node ${manifest.engines.node.slice(2)} or newer, and this is Node ${OLD_NODE}. ` +
        'Install a newer one, for example from https://nodejs.org.',
    )
  })
})

describe.each(SUPPORTED_NODES)('Node %s', (version) => {
  const node = findNode(version)

  test.skipIf(!node)(
    'runs npm start, and the service answers and stops',
    async () => {
      const program = await startProgram({ script: join(ROOT, 'tooling/start.mjs'), ...(node && { node }) })
      const get = async (path: string) => (await fetch(program.url + path)).json() as Promise<Record<string, unknown>>
      // Health waits for the chain and search for the model: these two contain the native code.
      await expect.poll(() => get('/v1/health'), { timeout: 60_000 }).toMatchObject({ status: 'ok' })
      await expect.poll(() => get('/v1/tweets/search?q=hello'), { timeout: 60_000 }).toHaveProperty('data')
      const page = await fetch(program.url, { headers: { accept: 'text/html' } })
      expect(await page.text()).toContain('<title>')
      expect(await program.stop()).toBe(0)
    },
    120_000,
  )
})

test('the version that is used here is one of those', () => {
  expect(SUPPORTED_NODES).toContain(read('.nvmrc').trim())
})
