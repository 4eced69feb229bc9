import { plainJson, plainText } from './plain-text.js'
import { renderAnswer } from './render.js'
import type { Terminal } from './terminal.js'

export type OutputFormat = 'json' | 'table'

/** Shows an answer. A document is shown as it is, unless JSON was asked for by name. */
export function show(terminal: Terminal, answer: unknown, asked?: OutputFormat): void {
  const format = asked ?? (terminal.isInteractive ? 'table' : 'json')
  if (typeof answer === 'string' && asked !== 'json') showDocument(terminal, answer)
  else terminal.write(format === 'json' ? `${plainJson(answer)}\n` : renderAnswer(answer, terminal.columns))
}

/** Shows a piece of a document. On a terminal it can do no harm; elsewhere every byte is kept. */
function showDocument(terminal: Terminal, text: string): void {
  terminal.write(terminal.isInteractive ? plainText(text) : text)
}
