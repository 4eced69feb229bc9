import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Block, expectedAfter } from '@rookery/tooling/guide-blocks'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** A block that was run. */
export interface Ran {
  readonly block: Block
  readonly output: string
}

/** Somebody who reads the guide page by page, and runs what it says in one folder. */
export interface Reader {
  readonly folder: string
  /** The variables that its shell starts with. */
  readonly environment: Readonly<Record<string, string>>
  /** Puts what is true here in the place of what the guide has, such as its address. */
  fillIn(text: string): string
  /** Compiles the programs of all pages; returns what the compiler complains about. */
  compile(): Promise<string>
  /** Runs the commands of a page, then its program. Variables that it exports are there on the next page. */
  run(page: string): Promise<Ran[]>
  leave(): Promise<void>
}

interface World {
  /** The blocks of each page. */
  readonly pages: ReadonlyMap<string, readonly Block[]>
  /** Put in the place of words of the guide, such as its address. */
  readonly words: Readonly<Record<string, string>>
  /** The data folder of the service. */
  readonly dataDir: string
}

const isCommand = ({ language, marks }: Block) => language === 'sh' && !('install' in marks) && !('elsewhere' in marks)
const isProgram = ({ language }: Block) => language === 'ts'
// Ends the page when the program in the background has ended, or has not said it for long.
const WAIT = 'kill -0 $!; [ $((TRIES += 1)) -lt 400 ]; sleep 0.05'
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export async function createReader({ pages, words, dataDir }: World): Promise<Reader> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-guide-'))
  await mkdir(join(folder, 'out'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  // In the place of `npm install`: another test installs the packages as people do.
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'bin'))
  const command = `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(join(ROOT, 'cli/dist/main.js'))} "$@"\n`
  await writeFile(join(folder, 'bin', 'rookery'), command, { mode: 0o755 })
  await writeFile(join(folder, 'exports.sh'), '')
  const fillIn = (text: string) =>
    Object.entries(words).reduce((filled, [word, value]) => filled.replaceAll(word, value), text)
  const outputOf = (name: string) => readFileSync(join(folder, 'out', name), 'utf8')

  function scriptOf(page: string, blocks: readonly Block[]): string {
    const steps = blocks.flatMap((block, index) => {
      if (!isCommand(block)) return []
      const output = `out/${page}-${index}`
      const text = fillIn(block.text)
      const said = `echo ${quote(block.place)} > out/${page}-at`
      if ('second-terminal' in block.marks) {
        const awaited = expectedAfter(blocks, block).at(-1) ?? ''
        later.push(said, `until grep -qF ${quote(awaited)} ${output}; do ${WAIT}; done`)
        return [said, `(\n${text}) > ${output} 2>&1 &`, `until [ -s ${output} ]; do ${WAIT}; done`]
      }
      const [before, after] = 'in-service' in block.marks ? [`cd ${quote(ROOT)}`, 'cd "$HOME"'] : ['', '']
      const fails = 'refused' in block.marks ? '' : '--fail-with-body'
      return [said, `FAILS=${fails}`, `{\n${before}\n${text}\n${after}\n} > "$HOME/${output}" 2>&1`]
    })
    // A refusal ends the page, unless the page shows it.
    const curl = 'curl() { command curl $FAILS "$@"; }'
    return [
      'set -eu -o pipefail',
      'source exports.sh',
      'FAILS= TRIES=0',
      curl,
      ...steps,
      ...later.splice(0),
      'export -p > exports.sh',
    ].join('\n')
  }
  const environment = {
    HOME: folder,
    PATH: `${join(folder, 'bin')}:${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    DATA_DIR: dataDir,
    TMPDIR: tmpdir(),
    // In the place of typing it.
    ROOKERY_PASSPHRASE: 'correct horse battery staple',
  }
  const later: string[] = []
  let end = () => {}

  function start(script: string): Promise<number | null> {
    // A group of its own, so that what still runs in the background ends with it.
    const shell = spawn('bash', [script], { cwd: folder, env: environment, detached: true, stdio: 'ignore' })
    end = () => {
      try {
        if (shell.pid) process.kill(-shell.pid)
      } catch {
        // Nothing was left.
      }
    }
    return new Promise((resolve) =>
      shell.once('exit', (code) => {
        end()
        resolve(code)
      }),
    )
  }

  async function runProgram(page: string): Promise<void> {
    const script = `source exports.sh\nexec node programs/${page}.js > out/${page}-program 2>&1`
    await writeFile(join(folder, 'run.sh'), script)
    if ((await start('run.sh')) !== 0)
      throw new Error(`The program of ${page}.md failed: ${outputOf(`${page}-program`)}`)
  }

  return {
    folder,
    environment,
    fillIn,

    async compile() {
      await mkdir(join(folder, 'programs'))
      for (const [page, blocks] of pages) {
        const program = blocks.filter(isProgram).map(({ text }) => fillIn(text))
        if (program.length > 0) await writeFile(join(folder, 'programs', `${page}.ts`), program.join('\n'))
      }
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        module: 'NodeNext',
        target: 'ES2023',
        lib: ['ES2023', 'DOM'],
        types: ['node'],
        skipLibCheck: true,
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['programs/*.ts'] }))
      const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
      const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
        (error: { stdout: string }) => error,
      )
      return stdout
    },

    async run(page) {
      const blocks = pages.get(page) ?? []
      await writeFile(join(folder, `${page}.sh`), scriptOf(page, blocks))
      if ((await start(`${page}.sh`)) !== 0) {
        const place = outputOf(`${page}-at`).trim()
        const index = blocks.findIndex((block) => block.place === place)
        throw new Error(`${place} failed: ${outputOf(`${page}-${index}`)}`)
      }
      if (blocks.some(isProgram)) await runProgram(page)
      return blocks.flatMap((block, index) => {
        if (isProgram(block)) return [{ block, output: outputOf(`${page}-program`) }]
        return isCommand(block) ? [{ block, output: outputOf(`${page}-${index}`) }] : []
      })
    },

    async leave() {
      end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
