import { sourceFiles } from '../source-files.js'

/** An SQL template in the source: its place, and its text without the interpolated parts. */
export interface Template {
  /** `server/src/foundation/db/db.ts:12` */
  readonly place: string
  readonly pieces: readonly string[]
}

/** Lists every sql`…` below a folder, including nested ones. */
export async function listTemplates(folder: string): Promise<Template[]> {
  const files = await sourceFiles(folder)
  return files.flatMap(({ path, text }) =>
    findTemplates(text).map(({ at, pieces }) => ({ place: `${path}:${lineOf(text, at)}`, pieces })),
  )
}

/** Whether a statement contains a template, with anything between its pieces. */
export function contains(statement: string, { pieces }: Template): boolean {
  let from = 0
  return pieces.every((piece) => {
    const at = statement.indexOf(piece, from)
    from = at + piece.length
    return at !== -1
  })
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

interface FoundTemplate {
  readonly at: number
  readonly pieces: readonly string[]
}

/** Finds the templates of a source text. Handles comments, strings, regular expressions and nested templates. */
export function findTemplates(text: string): FoundTemplate[] {
  const templates: FoundTemplate[] = []

  /** Reads code from `at` to the brace that closes it, or to the end. Returns the place after it. */
  function readCode(at: number): number {
    let open = 0
    let place = at
    while (place < text.length) {
      const char = text[place]
      if (char === '}' && open-- === 0) return place + 1
      if (char === '{') open++
      if (char === '`') place = readTemplate(place + 1)
      else place = endOf(place) ?? place + 1
    }
    return place
  }

  function readTemplate(at: number): number {
    const pieces: string[] = []
    // Added before its nested templates, in the order of the source.
    if (/\bsql$/.test(text.slice(Math.max(0, at - 5), at - 1))) templates.push({ at, pieces })
    let piece = at
    let place = at
    while (place < text.length && text[place] !== '`') {
      if (text.startsWith('${', place)) {
        pieces.push(cook(text.slice(piece, place)))
        place = readCode(place + 2)
        piece = place
      } else place += text[place] === '\\' ? 2 : 1
    }
    pieces.push(cook(text.slice(piece, place)))
    return place + 1
  }

  /** The place after the comment, string or regular expression that begins here; undefined if none does. */
  function endOf(place: number): number | undefined {
    for (const [begin, whole] of SKIPPED) {
      if (!begin.test(text[place] ?? '')) continue
      whole.lastIndex = place
      const [match] = whole.exec(text) ?? []
      if (match !== undefined && !(whole === REGEX && !beginsExpression(text.slice(0, place))))
        return place + match.length
    }
    return undefined
  }

  readCode(0)
  return templates
}

const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y
const SKIPPED: readonly (readonly [begin: RegExp, whole: RegExp])[] = [
  [/\//, /\/\/.*|\/\*[\s\S]*?\*\//y],
  [/\//, REGEX],
  [/'/, /'(?:[^'\\\n]|\\.)*'/y],
  [/"/, /"(?:[^"\\\n]|\\.)*"/y],
]

/** Whether a slash after this begins a regular expression rather than dividing. */
function beginsExpression(before: string): boolean {
  return /(?:[(,=:[!&|?{};>]|\breturn|^)\s*$/.test(before.slice(-80))
}

function cook(piece: string): string {
  return piece.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
}
