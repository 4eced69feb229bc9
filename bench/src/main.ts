import { readdir } from 'node:fs/promises'
import { textTable } from './output/table.js'
import { type Command, UsageError } from './usage/command.js'

const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  seed: () => import('./seed/command.js'),
  backfill: () => import('./backfill/command.js'),
  plans: () => import('./plans/command.js'),
  'for-you': () => import('./for-you/command.js'),
  'fan-out': () => import('./fan-out/command.js'),
  'search-quality': () => import('./search-quality/command.js'),
  'search-index': () => import('./search-index/command.js'),
  requests: () => import('./requests/command.js'),
}

const [name = '--help', ...args] = process.argv.slice(2)
try {
  const load = commands[name]
  const scripts = await listScripts()
  if (load) await run(name, (await load()).command)
  else if (scripts.includes(name)) await runScript(name)
  else await list(scripts)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function run(name: string, command: Command): Promise<void> {
  if (!args.includes('--help')) return command.run(args)
  console.log(`npm run bench -- ${name} [options]\n\n${command.summary}\n`)
  console.log(textTable(['option', 'meaning'], command.options))
}

/** Files beside this one are benchmarks that read their arguments themselves. */
async function listScripts(): Promise<string[]> {
  const files = await readdir(import.meta.dirname)
  return files.filter((file) => /^(?!main\.)[^.]+\.ts$/.test(file)).map((file) => file.replace(/\.ts$/, ''))
}

async function runScript(name: string): Promise<void> {
  process.argv.splice(2, 1)
  await import(new URL(`${name}.ts`, import.meta.url).href)
}

async function list(scripts: readonly string[]): Promise<void> {
  if (name !== '--help') {
    console.error(`There is no benchmark called ${name}.`)
    process.exitCode = 2
  }
  const rows = Object.entries(commands).map(async ([name, load]) => [name, (await load()).command.summary])
  console.log(`npm run bench -- <name> [options]; options: npm run bench -- <name> --help\n`)
  console.log(textTable(['name', 'what it does'], await Promise.all(rows)))
  if (scripts.length > 0) console.log(`\nAlso, described at their top: ${scripts.join(', ')}`)
}
