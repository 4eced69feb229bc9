/** Where a text stops being JSON, and what is wrong there. */
export interface JsonFault {
  /** Offset in UTF-16 units; the length of the text if it ends too early. */
  readonly at: number
  readonly problem: string
}

const ENDS_EARLY = 'the JSON ends before it is complete'
/** Deeper than anything that is taken; a caller could make us remember a set for every few bytes. */
const DEEPEST_NAMES = 64
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS = ['true', 'false', 'null'] as const
const SPACE = new Set([' ', '\t', '\n', '\r'])
const ESCAPED = new Set(['"', '\\', '/', 'b', 'f', 'n', 'r', 't'])

/**
 * Finds the first fault of a text that is not JSON, or that names a member twice in one object; undefined for others. Engines word their errors differently from
 * version to version, and leave the position out of some. Nesting costs a list, not the stack: a caller chooses its depth.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ('{' | '[')[] = []
  /** The names so far, of each object that is open. */
  const names: (Set<unknown> | undefined)[] = []
  let at = skipSpace(text, 0)
  let isNameNext = false
  for (;;) {
    // Here a value begins, or the name of a member.
    if (isNameNext) {
      const end = readName(text, at)
      if (typeof end !== 'number') return end
      const name: unknown = JSON.parse(text.slice(at, text.lastIndexOf('"', end - 1) + 1))
      if (names.at(-1)?.has(name)) return { at, problem: 'this name stands twice in one object' }
      names.at(-1)?.add(name)
      at = skipSpace(text, end)
    }
    const start = text[at]
    if (start === '{' || start === '[') {
      open.push(start)
      names.push(start === '{' && open.length <= DEEPEST_NAMES ? new Set() : undefined)
      at = skipSpace(text, at + 1)
      isNameNext = start === '{'
      if (text[at] !== closing(start)) continue
    } else {
      const end = readScalar(text, at)
      if (typeof end !== 'number') return end
      at = skipSpace(text, end)
    }
    // Here a value has ended, or the list or object that it is in is closed.
    for (let last = open.at(-1); last !== undefined && text[at] === closing(last); last = open.at(-1)) {
      open.pop()
      names.pop()
      at = skipSpace(text, at + 1)
    }
    const inside = open.at(-1)
    if (inside === undefined) return at === text.length ? undefined : { at, problem: 'nothing may follow the value' }
    if (text[at] !== ',') return notContinued(text, at, inside)
    const comma = at
    at = skipSpace(text, at + 1)
    if (text[at] === closing(inside)) return { at: comma, problem: `no comma may stand before ${text[at]}` }
    isNameNext = inside === '{'
  }
}

function closing(open: '{' | '['): string {
  return open === '{' ? '}' : ']'
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (SPACE.has(text[at] as string)) at++
  return at
}

function notContinued(text: string, at: number, inside: '{' | '['): JsonFault {
  const problem = at >= text.length ? ENDS_EARLY : `a comma or ${closing(inside)} is expected`
  return { at, problem }
}

function readName(text: string, from: number): number | JsonFault {
  if (from >= text.length) return { at: from, problem: ENDS_EARLY }
  if (text[from] !== '"') return { at: from, problem: 'a name in double quotes is expected' }
  const end = readText(text, from)
  if (typeof end !== 'number') return end
  const at = skipSpace(text, end)
  if (text[at] === ':') return at + 1
  return { at, problem: at >= text.length ? ENDS_EARLY : 'a colon is expected after the name' }
}

function readScalar(text: string, from: number): number | JsonFault {
  if (from >= text.length) return { at: from, problem: ENDS_EARLY }
  if (text[from] === '"') return readText(text, from)
  const word = WORDS.find((word) => text.startsWith(word, from))
  if (word) return from + word.length
  NUMBER.lastIndex = from
  const number = NUMBER.exec(text)
  if (number) return from + number[0].length
  if (text[from] === "'") return { at: from, problem: 'texts need double quotes' }
  const isCut = text.length - from < 5 && [...WORDS, '-'].some((word) => word.startsWith(text.slice(from)))
  return isCut ? { at: text.length, problem: ENDS_EARLY } : { at: from, problem: 'a value is expected' }
}

/** Reads a text from its first quotation mark; answers the place after its last. */
function readText(text: string, from: number): number | JsonFault {
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at] as string
    if (character === '"') return at + 1
    if (character < ' ') return { at, problem: 'a line break or control character in a text must be escaped, as \\n' }
    if (character !== '\\') continue
    at++
    const escaped = text[at]
    if (escaped === undefined) break
    if (escaped === 'u' && /^[\da-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) at += 4
    else if (!ESCAPED.has(escaped)) return { at, problem: 'this character cannot follow a backslash' }
  }
  return { at: text.length, problem: ENDS_EARLY }
}
