import type { Argument, Command, Option } from 'commander'

/** What can follow an option or stand for an argument. */
export type Value =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'file' | 'wallet' | 'free' }

export interface CompletedOption {
  readonly flag: string
  readonly description: string
  /** Undefined for a flag without a value. */
  readonly value: Value | undefined
}

/** One command with everything that a shell can complete behind it. */
export interface CompletedCommand {
  /** The words of the command after `rookery`; none for the program itself. */
  readonly path: readonly string[]
  readonly description: string
  readonly subcommands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly CompletedOption[]
  readonly argument: Value | undefined
}

/** Lists a program and all its commands. */
export function completionTree(program: Command): CompletedCommand[] {
  return walk(program, [])
}

function walk(command: Command, path: readonly string[]): CompletedCommand[] {
  const subcommands = command.commands.map((child) => ({ name: child.name(), description: wordsOf(child) }))
  const own: CompletedCommand = {
    path,
    description: wordsOf(command),
    subcommands,
    options: command.options.filter(({ hidden }) => !hidden).map(optionOf),
    argument: command.registeredArguments[0] && expectedValue(command.registeredArguments[0]),
  }
  return [own, ...command.commands.flatMap((child) => walk(child, [...path, child.name()]))]
}

function wordsOf(command: Command): string {
  return firstSentence(command.summary() || command.description())
}

function optionOf(option: Option): CompletedOption {
  const takesValue = option.required || option.optional
  return {
    flag: option.long ?? option.flags,
    description: firstSentence(option.description),
    value: takesValue ? expectedValue(option) : undefined,
  }
}

function expectedValue(taker: Option | Argument): Value {
  if (taker.argChoices) return { kind: 'choices', choices: taker.argChoices }
  const name = taker.name()
  if (name === 'wallet') return { kind: 'wallet' }
  const isFile = 'flags' in taker ? /<file>/.test(taker.flags) : name === 'file'
  return { kind: isFile ? 'file' : 'free' }
}

function firstSentence(text: string): string {
  return (text.split(/\n|(?<=\.) /, 1)[0] ?? '').replace(/\.$/, '')
}
