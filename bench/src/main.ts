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
  upload: () => import('./upload/command.js'),
  'skill-scan': () => import('./skill-scan/command.js'),
  requests: () => import('./requests/command.js'),
  kills: () => import('./kills/command.js'),
  chaos: () => import('./chaos/command.js'),
  'chain-replay': () => import('./chain-replay/command.js'),
  gas: () => import('./gas/command.js'),
  page: () => import('./page/command.js'),
  live: () => import('./live/command.js'),
}

const [name = '--help', ...args] = process.argv.slice(2)
try {
  const load = commands[name]
  if (load) await run(name, (await load()).command)
  else await list()
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

async function list(): Promise<void> {
  if (name !== '--help') {
    console.error(`There is no benchmark called ${name}.`)
    process.exitCode = 2
  }
  const rows = Object.entries(commands).map(async ([name, load]) => [name, (await load()).command.summary])
  console.log(`npm run bench -- <name> [options]; options: npm run bench -- <name> --help\n`)
  console.log(textTable(['name', 'what it does'], await Promise.all(rows)))
}
