import type { Command } from 'commander'

/** A command line in today's words, and what to tell who wrote an old one. */
export interface Translated {
  readonly words: readonly string[]
  readonly note?: string
}

/**
 * Before `--json` meant JSON output on every command, it took the whole body: `--json '{…}'` and `--json -`. Where a
 * command takes a body, that is still understood as `--body`.
 */
export function translateOldNames(program: Command, words: readonly string[]): Translated {
  const command = program.commands.find((candidate) => words.includes(candidate.name()))
  if (!command?.options.some(({ long }) => long === '--body')) return { words }
  const at = words.findIndex((word, index) => isOldBody(word, words[index + 1]))
  if (at < 0) return { words }
  const today = (words[at] ?? '').replace(/^--json/, '--body')
  return {
    words: [...words.slice(0, at), today, ...words.slice(at + 1)],
    note: '--json with a value is the old name of --body, and will stop working. --json alone asks for JSON output.\n',
  }
}

function isOldBody(word: string, next: string | undefined): boolean {
  return word.startsWith('--json=') || (word === '--json' && next !== undefined && /^\s*[{[]|^-$/.test(next))
}

/** Whether a command line asks for JSON, also where it is too wrong to be parsed. */
export function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const options = end < 0 ? words : words.slice(0, end)
  return options.some(
    (word, at) => word === '--json' || word === '--output=json' || (word === '--output' && options[at + 1] === 'json'),
  )
}
