import { textTable } from './table.js'

/** A benchmark, an evaluation, or what prepares one: `npm run bench -- <name> [options]`. */
export interface Command {
  readonly summary: string
  /** One line per option: its name and its meaning. */
  readonly options: readonly (readonly [name: string, meaning: string])[]
  run(args: readonly string[]): Promise<void>
}

/** A mistake of the caller, reported in one line without a stack. */
export class UsageError extends Error {}

/** Runs the command named in the process's arguments, or lists all of them. `npmScript` is the name of the npm script. */
export async function runCommand(
  npmScript: string,
  commands: Readonly<Record<string, () => Promise<{ command: Command }>>>,
): Promise<void> {
  const [name = '--help', ...args] = process.argv.slice(2)
  const load = commands[name]
  if (!load) return list()
  try {
    const { command } = await load()
    if (!args.includes('--help')) return await command.run(args)
    console.log(`npm run ${npmScript} -- ${name} [options]\n\n${command.summary}\n`)
    console.log(textTable(['option', 'meaning'], command.options))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    process.exitCode = 2
  }

  async function list(): Promise<void> {
    if (name !== '--help') {
      console.error(`npm run ${npmScript} has no ${name}.`)
      process.exitCode = 2
    }
    const rows = Object.entries(commands).map(async ([name, load]) => [name, (await load()).command.summary])
    console.log(`npm run ${npmScript} -- <name> [options]; options: npm run ${npmScript} -- <name> --help\n`)
    console.log(textTable(['name', 'what it does'], await Promise.all(rows)))
  }
}
