import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Packed, pack } from '@rookery/tooling/pack'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const execute = promisify(execFile)

/** What a program printed. */
export interface Printed {
  readonly stdout: string
  readonly stderr: string
}

/** A project outside the repository that has installed our packages as people do. */
export interface Project {
  readonly folder: string
  readonly sdk: Packed
  readonly cli: Packed
  /** Runs a file of the project with a Node executable. */
  run(node: string, file: string): Promise<Printed>
  /** Runs the installed command line with a Node executable. */
  rookery(node: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Printed>
  /** Compiles the TypeScript files of the project; returns what the compiler complains about. */
  compile(): Promise<string>
}

const { dependencies } = JSON.parse(await readFile(join(ROOT, 'sdk/package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}

/** Packs the SDK and the CLI, and installs both in an empty folder. */
export async function createProject(folder: string): Promise<Project> {
  const [sdk, cli] = ['sdk', 'cli'].map((workspace) => pack(workspace, join(folder, 'archives'))) as [Packed, Packed]
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  const wanted = [sdk.archive, cli.archive, `viem@${dependencies.viem}`]
  await execute('npm', ['install', ...options, ...wanted], { cwd: folder })
  return {
    folder,
    sdk,
    cli,
    run: (node, file) => execute(node, [join(folder, file)], { cwd: folder, env: {} }),
    rookery: (node, args, env) =>
      execute(join(folder, 'node_modules/.bin/rookery'), args, {
        cwd: folder,
        env: { HOME: folder, PATH: `${dirname(node)}:${process.env.PATH}`, ...env },
      }),
    async compile() {
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        module: 'NodeNext',
        target: 'ES2023',
        lib: ['ES2023', 'DOM'],
        types: [],
        outDir: 'out',
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
      const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
      const { stdout } = await execute(process.execPath, [compiler, '-p', folder]).catch((error: Printed) => error)
      return stdout
    },
  }
}

/** The examples of the SDK's page, which are one program. */
export async function readExamples(): Promise<string> {
  const page = await readFile(join(ROOT, 'sdk/README.md'), 'utf8')
  return [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code).join('\n')
}
