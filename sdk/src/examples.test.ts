import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as sdk from './index.js'

const ROOT = join(import.meta.dirname, '..', '..')
// Inside the repository, so that the examples find the packages they import.
const FOLDER = join(ROOT, 'sdk', 'dist-test', 'examples')

interface Example {
  /** The function or class that it documents. */
  readonly name: string
  readonly code: string
}

let examples: Example[] = []

beforeAll(async () => {
  const sources = await Promise.all(['sdk/src', 'api/src', 'contracts/ts'].map(readSources))
  examples = sources.flat().flatMap(findExamples)
  // The blocks of the page are one program.
  const page = await readFile(join(ROOT, 'sdk', 'README.md'), 'utf8')
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  examples.push({ name: 'README', code: blocks.join('\n') })
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  for (const { name, code } of examples) await writeFile(join(FOLDER, `${name}.ts`), code)
  const options = { rootDir: ROOT, lib: ['ES2023', 'DOM'], noEmit: true, composite: false, incremental: false }
  await writeFile(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({ extends: '../../../tsconfig.base.json', compilerOptions: options, include: ['*.ts'] }),
  )
})

afterAll(() => rm(FOLDER, { recursive: true, force: true }))

describe('every public function', () => {
  const functions = Object.entries(sdk).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))

  test.each([...functions, 'as', 'events'])('%s has an example', (name) => {
    expect(examples.map((example) => example.name)).toContain(name)
  })

  test('has an example that compiles, as do those of the page', { timeout: 60_000 }, async () => {
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', FOLDER]).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout).toBe('')
  })
})

async function readSources(folder: string): Promise<string[]> {
  const files = (await readdir(join(ROOT, folder))).filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
  return Promise.all(files.map((file) => readFile(join(ROOT, folder, file), 'utf8')))
}

function findExamples(source: string): Example[] {
  const blocks = source.matchAll(
    /@example\n\s*\* ```ts\n([\s\S]*?)\n\s*\* ```\n[\s\S]*?\*\/\n\s*(?:export (?:async )?(?:function\*?|class) )?(\w+)/g,
  )
  return [...blocks].map(([, code = '', name = '']) => ({ name, code: code.replaceAll(/^\s*\* ?/gm, '') }))
}
