/** A benchmark, or what prepares one: `npm run bench -- <name> [options]`. */
export interface Command {
  readonly summary: string
  /** One line per option: what it is called and what it means. */
  readonly options: readonly (readonly [name: string, meaning: string])[]
  run(args: readonly string[]): Promise<void>
}

/** What the caller got wrong: told in one line, without a stack. */
export class UsageError extends Error {}
