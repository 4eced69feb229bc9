import { isPending } from '@rookery/sdk'
import { exitCodes } from './exit-codes.js'
import { plainJson, plainText } from './plain-text.js'
import { renderAnswer } from './render.js'
import type { Terminal } from './terminal.js'

export type OutputFormat = 'json' | 'table'

/**
 * Prints an answer. A document is printed as is, unless `--output json` was passed. What waits for the owner is said
 * on stderr too, because a script that expects a tweet may not look for it.
 */
export function show(terminal: Terminal, answer: unknown, asked?: OutputFormat): void {
  if (isPending(answer)) {
    terminal.note(`${plainText(answer.message)}\n`)
    terminal.endWith(exitCodes.approval)
  }
  const format = asked ?? (terminal.isInteractive ? 'table' : 'json')
  if (typeof answer === 'string' && asked !== 'json') showDocument(terminal, answer)
  else terminal.write(format === 'json' ? `${plainJson(answer)}\n` : renderAnswer(answer, terminal.columns))
}

/** Prints a document: without control sequences on a terminal, byte for byte elsewhere. */
function showDocument(terminal: Terminal, text: string): void {
  terminal.write(terminal.isInteractive ? plainText(text) : text)
}
