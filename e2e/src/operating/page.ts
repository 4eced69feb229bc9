import { readFileSync } from 'node:fs'
import { type Block, blocksOf } from '@rookery/tooling/guide-blocks'
import { ROOT } from './root.js'

/** Something on the page that an operator runs: a block of commands, or a row of a table of commands. */
export interface Step {
  /** The heading above a block, with its number from the second one there; or the words of a command after `--`. */
  readonly name: string
  readonly place: string
  readonly kind: 'block' | 'command'
  readonly text: string
  /** First day, Every day or Bad day. */
  readonly part: string
}

const PAGE = readFileSync(`${ROOT}/docs/operating.md`, 'utf8')
const blocks = blocksOf('operating', PAGE)

/** Everything to run, in the order of the page. */
export function readSteps(): Step[] {
  const lines = PAGE.split('\n')
  const rows = lines.flatMap((line, index): Step[] => {
    const [, words] = /^\| `npm run operate -- ([^`]+)`/.exec(line) ?? []
    if (words === undefined) return []
    return [{ ...at(index + 1), name: words, kind: 'command', text: `npm run operate -- ${words}` }]
  })
  const counts = new Map<string, number>()
  const shell = blocks
    .filter(({ language }) => language === 'sh')
    .map((block): Step => {
      const count = (counts.get(block.heading) ?? 0) + 1
      counts.set(block.heading, count)
      const name = count === 1 ? block.heading : `${block.heading} ${count}`
      return { ...at(lineOf(block)), name, kind: 'block', text: block.text }
    })
  return [...rows, ...shell].sort((one, other) => lineOf(one) - lineOf(other))

  function at(line: number) {
    const part = lines.slice(0, line).findLast((text) => /^## /.test(text)) ?? ''
    return { place: `operating.md:${line}`, part: part.replace('## ', '') }
  }
}

/** The blocks in another language. */
export function readBlocksOf(language: string): string[] {
  return blocks.filter((block) => block.language === language).map(({ text }) => text)
}

function lineOf({ place }: Pick<Block, 'place'>): number {
  return Number(place.split(':')[1])
}
