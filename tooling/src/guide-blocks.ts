import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FENCED = /^( *)```(\S*)(.*)\n([\s\S]*?)^\1```$/gm
const FOLDER = fileURLToPath(new URL('../../docs/guide/', import.meta.url))

/** A fenced block of a page. */
export interface Block {
  /** The page and the line on which it begins. */
  readonly place: string
  /** The heading above it. */
  readonly heading: string
  readonly language: string
  /** The words after the language, such as `install` or `answer=getMe`; a word alone has an empty value. */
  readonly marks: Readonly<Record<string, string>>
  readonly text: string
}

/** The blocks of each page of the guide, by its name. */
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

/** The blocks of a page, those inside lists too, without their indentation. */
export function blocksOf(page: string, source: string): Block[] {
  return [...source.matchAll(FENCED)].map((match) => {
    const [, indentation = '', language = '', words = '', text = ''] = match
    const marks = words.split(' ').flatMap((word) => {
      const [name = '', value = ''] = word.split('=')
      return name === '' ? [] : [[name, value] as const]
    })
    const before = source.slice(0, match.index)
    return {
      place: `${page}.md:${before.split('\n').length}`,
      heading:
        before
          .replaceAll(FENCED, '')
          .match(/^#+ .*$/gm)
          ?.at(-1)
          ?.replace(/^#+ /, '') ?? '',
      language,
      marks: Object.fromEntries(marks),
      text: text.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    }
  })
}
