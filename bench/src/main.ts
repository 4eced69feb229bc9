import { type Command, UsageError } from './command.js'
import { textTable } from './output/table.js'

const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  seed: () => import('./seed/command.js'),
}

const [name, ...args] = process.argv.slice(2)
try {
  const load = name === undefined ? undefined : commands[name]
  if (!load) await list(name)
  else if (args.includes('--help')) help(name ?? '', (await load()).command)
  else await (await load()).command.run(args)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function list(unknown: string | undefined): Promise<void> {
  if (unknown !== undefined && unknown !== '--help') {
    console.error(`There is no benchmark called ${unknown}.`)
    process.exitCode = 2
  }
  const rows = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => [name, (await load()).command.summary]),
  )
  console.log(`npm run bench -- <name> [options]; options: npm run bench -- <name> --help\n`)
  console.log(textTable(['name', 'what it does'], rows))
}

function help(name: string, { summary, options }: Command): void {
  console.log(`npm run bench -- ${name} [options]\n\n${summary}\n`)
  console.log(textTable(['option', 'meaning'], options))
}
