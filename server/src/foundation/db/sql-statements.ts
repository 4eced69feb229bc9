// What has a meaning of its own inside a text: strings, names in quotes, comments, and bodies between dollars.
const PIECES = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|;/g

/** Splits a text into its statements, without their comments and semicolons. */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  let from = 0
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    statement += text.slice(from, index)
    from = index + piece.length
    if (piece === ';') {
      statements.push(statement)
      statement = ''
    } else statement += /^(--|\/\*)/.test(piece) ? ' ' : piece
  }
  return [...statements, statement + text.slice(from)].map((one) => one.trim()).filter((one) => one !== '')
}

/** The text without what is inside strings and bodies, for looking at its words. */
export function withoutContents(statement: string): string {
  return statement.replace(PIECES, (piece) => (piece.startsWith("'") ? "''" : piece.startsWith('$') ? '$$' : piece))
}

/** Splits at the commas that are outside of parentheses. */
export function splitAtCommas(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(' || character === '[') depth++
    if (character === ')' || character === ']') depth--
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim())
}
