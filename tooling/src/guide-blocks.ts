import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../docs/guide/', import.meta.url))

/** A fenced block of the guide. */
export interface Block {
  /** The page and the line on which it begins. */
  readonly place: string
  readonly language: string
  /** The words after the language, such as `install` or `answer=getMe`; a word alone has an empty value. */
  readonly marks: Readonly<Record<string, string>>
  readonly text: string
}

/** The blocks of each page, by its name. */
export function readGuideBlocks(): ReadonlyMap<string, readonly Block[]> {
  const pages = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ''))
  return new Map(pages.map((page) => [page, blocksOf(page, readFileSync(`${FOLDER}${page}.md`, 'utf8'))]))
}

/** What a block prints, if the page shows it below; `…` there stands for anything, so these are the pieces in between. */
export function expectedAfter(page: readonly Block[], block: Block): string[] {
  const next = page[page.indexOf(block) + 1]
  const pieces = next?.language === 'text' ? next.text.split(/[…\n]/) : []
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '')
}

function blocksOf(page: string, source: string): Block[] {
  return [...source.matchAll(/^```(\S*)(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', words = '', text = ''] = match
    const marks = words.split(' ').flatMap((word) => {
      const [name = '', value = ''] = word.split('=')
      return name === '' ? [] : [[name, value] as const]
    })
    const line = source.slice(0, match.index).split('\n').length
    return { place: `${page}.md:${line}`, language, marks: Object.fromEntries(marks), text }
  })
}
