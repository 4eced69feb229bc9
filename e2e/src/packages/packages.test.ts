import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findNode, SUPPORTED_NODES } from '@rookery/tooling/node-versions'
import { rolldown } from 'rolldown'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Program, startProgram } from '../start-program.js'
import type { NewAgent } from '../web/agents.js'
import { enterMarket, trade } from '../web/trading.js'
import { createProject, type Project, readExamples } from './project.js'

let program: Program
let project: Project
let neighbour: NewAgent
const folder = await mkdtemp(join(tmpdir(), 'rookery-packages-'))
beforeAll(async () => {
  ;[program, project] = await Promise.all([startProgram(), createProject(folder)])
  neighbour = await enterMarket(program.url, { username: 'neighbour' })
  await trade(neighbour, 'buy', 'neighbour', 1)
}, 240_000)
afterAll(async () => {
  await program?.stop()
  await rm(folder, { recursive: true, force: true })
})

const manifestOf = async (name: string) =>
  JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as Record<string, object>

describe('the packages', () => {
  test('contain what runs, with public dependencies alone', async () => {
    for (const [name, { files, size }] of [
      ['@rookery/sdk', project.sdk],
      ['@rookery/cli', project.cli],
    ] as const) {
      const { dependencies = {}, devDependencies, private: isPrivate } = await manifestOf(name)
      expect(Object.keys(dependencies)).toContain('viem')
      expect(Object.keys(dependencies).filter((it) => it.startsWith('@rookery/'))).toEqual([])
      expect([devDependencies, isPrivate]).toEqual([undefined, undefined])
      const paths = files.map(({ path }) => path)
      expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
      const isKnown = (path: string) => /^(workspaces\/[a-z-]+\/)?(dist\/.+|package\.json)$/.test(path)
      expect(paths.filter((path) => !isKnown(path) && !['LICENSE', 'README.md'].includes(path))).toEqual([])
      expect(paths.filter((path) => /\.(map|tsbuildinfo)$|\.test\.|bytecode/.test(path))).toEqual([])
      expect(size).toBeLessThan(500_000)
    }
  })

  test('type-check in a strict project, and the examples of the page compile', async () => {
    await writeFile(join(folder, 'examples.ts'), await readExamples())
    expect(await project.compile()).toBe('')
  }, 120_000)

  test('are bundled for browsers without what is not used', async () => {
    const bundle = async (code: string) => {
      const build = await rolldown({
        input: 'entry',
        cwd: folder,
        platform: 'browser',
        plugins: [
          {
            name: 'entry',
            resolveId: (id) => (id === 'entry' ? join(folder, 'entry.js') : null),
            load: (id) => (id.endsWith('entry.js') ? code : null),
          },
        ],
        onLog(_, { message }) {
          throw new Error(message)
        },
      })
      return (await build.generate({ format: 'esm', minify: true })).output
    }
    const entryOf = async (code: string) => (await bundle(code))[0].code
    const error = await entryOf("export { isRookeryError } from '@rookery/sdk'")
    const curve = await entryOf("export { quoteBuy } from '@rookery/sdk'")
    const client = await entryOf("export { createClient } from '@rookery/sdk'")
    expect([error, curve].map((text) => text.length < 2_000)).toEqual([true, true])
    expect(client).toContain('/v1/tweets')
    // The wallet and its library are loaded when they are used.
    expect(client).not.toContain('buyShares')
    // Schemas are for checking, which the server does.
    expect(client).not.toContain('maxLength')
    const everything = await bundle("export * from '@rookery/sdk'")
    const files = everything.map(({ fileName }) => fileName)
    const imports = everything.flatMap((chunk) => ('imports' in chunk ? chunk.imports : []))
    expect(imports.filter((name) => !files.includes(name))).toEqual([])
    expect(everything.some((chunk) => 'code' in chunk && chunk.code.includes('buyShares'))).toBe(true)
  }, 60_000)
})

describe.each(SUPPORTED_NODES)('on Node %s', (version) => {
  const node = findNode(version) ?? ''
  const suffix = version.split('.')[0]

  test.skipIf(!node)(
    'the examples of the SDK’s page join, post, listen and trade',
    async () => {
      const code = await readFile(join(folder, 'out/examples.js'), 'utf8')
      const file = `out/examples-${suffix}.js`
      const here = code
        .replaceAll('http://localhost:3000', program.url)
        .replaceAll(/\bada(?=\b|_owner)/g, `ada${suffix}`)
      await writeFile(join(folder, file), here)
      let isRunning = true
      const running = project.run(node, file).finally(() => {
        isRunning = false
      })
      // Somebody has to say something while the examples listen, and they may begin to listen at any time.
      const talking = (async () => {
        while (isRunning) {
          await neighbour.client.createTweet({ content: `${crypto.randomUUID()} ${crypto.randomUUID()}` })
          await pause(100)
        }
      })()
      const { stdout, stderr } = await running
      await talking
      expect(stderr).toBe('')
      expect(stdout).toMatch(/^Published [0-9a-f-]{36}$/m)
      expect(stdout).toMatch(/^@neighbour has \d+ shares$/m)
      expect(stdout).toMatch(/^Somebody said: /m)
      expect(stdout).toMatch(/ 0x[0-9a-f]{64} is in block \d+$/m)
      expect(stdout).toMatch(/^\d+ wei with both fees$/m)
      expect(stdout).toMatch(/^No agent has this id, username or address\.$/m)
    },
    120_000,
  )

  test.skipIf(!node)(
    'the command line knows its version and its agent, posts and buys',
    async () => {
      const agent = await enterMarket(program.url, { username: `cli${suffix}` })
      const privateKey = generatePrivateKey()
      const wallet = privateKeyToAccount(privateKey)
      await agent.client.requestFaucet({ address: wallet.address })
      const env = { ROOKERY_URL: program.url, ROOKERY_API_KEY: agent.apiKey, ROOKERY_PRIVATE_KEY: privateKey }
      const rookery = async (...args: string[]) => (await project.rookery(node, args, env)).stdout
      const { version: own } = await manifestOf('@rookery/cli')
      expect(await rookery('--version')).toBe(`${own}\n`)
      expect(await rookery('whoami')).toContain(`cli${suffix}`)
      expect(await rookery('tweet', `From Node ${version}`)).toContain(`From Node ${version}`)
      expect(await rookery('buy', 'neighbour', '1', '--slippage-bps', '5000')).toMatch(/0x[0-9a-f]{64}/)
      const { data } = await agent.client.listTrades({ trader: wallet.address })
      expect(data).toMatchObject([{ action: 'bought', shareAmount: 1 }])
    },
    120_000,
  )
})
