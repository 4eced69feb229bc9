import { foldLetters } from './letters.js'
import { countUpTo } from './lines.js'
import { warns } from './warnings.js'

/** A unit of a document: a paragraph, a list item, or a block of code. */
export interface Block {
  readonly kind: 'prose' | 'code'
  /** The visible text, with look-alike letters replaced. */
  readonly text: string
  /** The same in lower case, for quick checks. */
  readonly lower: string
  /** The line of the document at an index of the text. */
  lineAt(index: number): number
  /** Whether the text that introduces the block of code or list warns of its content. */
  readonly isWarnedOf: boolean
  /** Whether it quotes a text, with a mark before each line. */
  readonly isQuotation: boolean
  /** Whether it is an item of a list. */
  readonly isItem: boolean
}

/** A sentence of a paragraph, or a command of a block of code. */
export interface Sentence {
  readonly text: string
  /** Where it begins in its block. */
  readonly start: number
  readonly line: number
  readonly block: Block
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s/
const HEADING = /^ {0,3}#{1,6}\s/
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Splits a document into blocks, in order. Its first line is number `firstLine`. */
export function readBlocks(document: string, firstLine = 1): Block[] {
  const blocks: Block[] = []
  let open: { kind: Block['kind']; lines: string[]; from: number } | undefined
  let fence: string | undefined

  function close(): void {
    if (open?.lines.some((line) => line.trim() !== '')) blocks.push(blockOf(open, blocks.at(-1)))
    open = undefined
  }
  function add(kind: Block['kind'], line: string, number: number): void {
    if (open?.kind !== kind) close()
    open ??= { kind, lines: [], from: number }
    open.lines.push(line)
  }

  for (const [index, line] of document.split(/\r\n|\r|\n/).entries()) {
    const number = firstLine + index
    const [, mark] = line.match(FENCE) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) {
        close()
        fence = undefined
      } else add('code', line, number)
    } else if (mark !== undefined) {
      close()
      fence = mark
    } else if (line.trim() === '') close()
    else if (/^(?: {4}|\t)/.test(line) && open?.kind !== 'prose') add('code', line, number)
    else {
      if (ITEM.test(line) || HEADING.test(line)) close()
      add('prose', line, number)
      if (HEADING.test(line)) close()
    }
  }
  close()
  return blocks
}

function blockOf(
  { kind, lines, from }: { kind: Block['kind']; lines: readonly string[]; from: number },
  before: Block | undefined,
): Block {
  const isItem = kind === 'prose' && ITEM.test(lines[0] ?? '')
  const starts: number[] = []
  let text = ''
  for (const line of lines) {
    starts.push(text.length)
    const visible = plain(kind === 'prose' ? line.replace(/^\s*>+\s?/, '') : line)
    // A command continues after a backslash, a sentence after any line break.
    text +=
      kind === 'code' ? visible.replace(/(?<!\\)\\$/, '') + (/(?<!\\)\\$/.test(visible) ? ' ' : '\n') : `${visible} `
  }
  return {
    kind,
    text,
    lower: text.toLowerCase(),
    lineAt: (index) => from + Math.max(countUpTo(starts, index) - 1, 0),
    isItem,
    isQuotation: lines.every((line) => /^\s*>/.test(line)),
    isWarnedOf: isWarnedOf(kind, isItem, before),
  }
}

// Consecutive items share the same introduction.
function isWarnedOf(kind: Block['kind'], isItem: boolean, before: Block | undefined): boolean {
  if (before?.kind !== 'prose' || (kind === 'prose' && !isItem)) return false
  if (isItem && before.isItem) return before.isWarnedOf
  return warns(before.text.slice(-300)) && (kind === 'code' || /:\s*$/.test(before.text))
}

// Real text has few combining marks per letter. Normalising many of them takes quadratic time.
const MANY_MARKS = /(\p{Mark}{30})\p{Mark}+/gu

/** Removes all but the first of many combining marks in a row. */
export function boundMarks(text: string): string {
  return text.replace(MANY_MARKS, '$1')
}

// Single characters that expand to whole words of other scripts.
const WRITTEN_OUT = /[\u3300-\u3357\uFDF0-\uFDFC]/g

/** Normalises text to what a careless reader sees. */
export function plain(text: string): string {
  if (isAscii(text)) return text
  const bounded = boundMarks(text).replace(WRITTEN_OUT, ' ')
  return foldLetters(bounded.normalize('NFKC').replace(UNSEEN, ''))
}

/** Most texts are ASCII, where nothing can hide between the letters. */
export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters it is about.
  return /^[\x00-\x7f]*$/.test(text)
}

const SENTENCE_END = /[.!?][)"”'*_`]*\s+(?=[\p{Lu}\d"“'`*_(<[])/gu

/** How long the pieces of a long sentence or block of code are, and by how much they overlap. */
export interface PieceLengths {
  readonly prose: number
  readonly code: number
  readonly overlap: number
}

// The overlap is more than the longest match of a rule, so that each match is whole in the piece in which it begins.
const FOR_RULES: PieceLengths = { prose: 4_000, code: 4_000, overlap: 2_000 }

/** Splits a paragraph into sentences; a block of code is one, unless it is very long. Pieces of a long one overlap. */
export function sentencesOf(block: Block, lengths = FOR_RULES): Sentence[] {
  const sentences: Sentence[] = []
  let from = 0
  const end = (to: number) => {
    for (const { start, text } of piecesOf(block, from, to, lengths))
      sentences.push({ text, start, line: block.lineAt(start), block })
    from = to
  }
  if (block.kind === 'prose')
    for (const { index, 0: mark } of block.text.matchAll(SENTENCE_END)) end(index + mark.length)
  end(block.text.length)
  return sentences
}

function* piecesOf(
  { kind, text }: Block,
  from: number,
  to: number,
  { overlap, ...longest }: PieceLengths,
): Generator<Pick<Sentence, 'start' | 'text'>> {
  const most = longest[kind]
  for (let start = from; start < to; ) {
    const end = Math.min(to, start + most + overlap)
    yield { start, text: text.slice(start, end) }
    if (end === to) return
    // A piece begins after a line or a word, unless that one is very long.
    const next = text.lastIndexOf(kind === 'code' ? '\n' : ' ', start + most - 1) + 1
    start = next > start + most / 2 ? next : start + most
  }
}
