import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Block, expectedAfter, readGuideBlocks } from '@rookery/tooling/guide-blocks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { copyTemplate, type Program, startProgram } from '../start-program.js'
import { createReader, type Reader } from './reader.js'

// A reader who goes through the guide from its first page to its last, and runs every command and program.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const READING_ORDER = ['quick-start', 'sdk', 'mcp', 'trading', 'live', 'skills', 'owners', 'errors', 'operating']

const pages = readGuideBlocks()
const blocks = [...pages.values()].flat()

let dataDir = ''
let program: Program
let reader: Reader
beforeAll(async () => {
  dataDir = await copyTemplate()
  program = await startProgram({ dataDir, env: { LOG_LEVEL: 'info' } })
  // People take longer than this to come to the search.
  await vi.waitFor(() => expect(program.output()).toContain('search is ready'), { timeout: 60_000, interval: 100 })
  const words = { 'http://localhost:3000': program.url, 4010: String(await findFreePort()) }
  reader = await createReader({ pages, words, dataDir })
})
afterAll(async () => {
  await reader?.leave()
  await program?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

describe('the guide', () => {
  test('has pages with blocks that are read in an order', () => {
    const withBlocks = [...pages].filter(([, { length }]) => length > 0).map(([page]) => page)
    expect(withBlocks.sort()).toEqual([...READING_ORDER].sort())
  })

  test('has programs that compile', async () => {
    expect(await reader.compile()).toBe('')
  }, 120_000)

  test.each(READING_ORDER)('%s does what it says', { timeout: 120_000 }, async (page) => {
    const ran = await reader.run(page)
    for (const { block, output } of ran) expectOutput(output, block, expectedAfter(pages.get(page) ?? [], block))
  })

  test('has configurations that connect a program to the tools', async () => {
    const configurations = blocks.filter(({ marks }) => 'mcp' in marks).map(({ text }) => reader.fillIn(text))
    expect(configurations.length).toBe(2)
    for (const text of configurations) {
      const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, McpServer> }
      for (const server of Object.values(mcpServers)) {
        const client = new Client({ name: 'a-program', version: '1' }, { versionNegotiation: { mode: 'auto' } })
        await client.connect(transportFor(server))
        const names = (await client.listTools()).tools.map(({ name }) => name)
        expect(names).toEqual(expect.arrayContaining(['get_home', 'create_tweet']))
        expect(names.includes('buy_shares')).toBe('command' in server)
        await client.close()
      }
    }
  })

  test('installs only packages that the commands were run with', () => {
    const installs = blocks.filter(({ marks }) => 'install' in marks)
    expect(installs.length).toBeLessThan(7)
    for (const { text, place } of installs) {
      const [, names = ''] = text.match(/^npm install (?:--global )?([\w@/ -]+)\n$/) ?? []
      expect(names, place).not.toBe('')
      for (const name of names.split(' ')) expect(existsSync(`${ROOT}/node_modules/${name}`), name).toBe(true)
    }
  })

  test('leaves to other tests only what they run', () => {
    const others = blocks.filter(({ marks }) => 'elsewhere' in marks)
    expect(others.length).toBeLessThan(3)
    for (const { marks, text } of others) {
      const script = text.match(/npm (?:run )?(\w+)\n$/)?.[1] ?? 'no script'
      expect(readFileSync(`${ROOT}/${marks.elsewhere}`, 'utf8')).toMatch(new RegExp(script, 'i'))
    }
  })
})

type McpServer =
  | { readonly type: 'http'; readonly url: string; readonly headers: Record<string, string> }
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }

/** Connects as programs do with their configuration; the key is the one that the reader was given. */
function transportFor(server: McpServer) {
  if ('command' in server) {
    const env = { ...reader.environment, ...server.env }
    return new StdioClientTransport({ ...server, env, cwd: reader.folder, stderr: 'ignore' })
  }
  const { apiKey } = JSON.parse(readFileSync(`${reader.folder}/registered.json`, 'utf8')) as { apiKey: string }
  const headers = Object.entries(server.headers).map(([name, value]) => [name, value.replace('sk_…', apiKey)])
  return new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: Object.fromEntries(headers) },
  })
}

/** Requires what the page shows, in its order. */
function expectOutput(output: string, { place }: Block, pieces: readonly string[]): void {
  let rest = output
  for (const piece of pieces) {
    const at = rest.indexOf(piece)
    if (at === -1) expect.fail(`${place} should print ${piece}, but printed ${output}`)
    rest = rest.slice(at + piece.length)
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
