import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Ran {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}
export type RunWords = (words: readonly string[], input?: string) => Promise<Ran>

/** The lines of a document's shell blocks that call the program and are complete: `…` stands for what a reader fills in. */
export function commandLinesOf(markdown: string): string[] {
  return [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = '']) => block.split('\n'))
    .filter((line) => line.startsWith('rookery ') && !line.includes('…'))
    .map((line) => line.replace(/\s+#.*$/, ''))
}

/**
 * Runs a line in this process, with as much of a shell as the documents need: quotes, `$(rookery …)`, `< file` and
 * `> file`. A process for each line would take a minute.
 */
export async function runLine(line: string, folder: string, run: RunWords): Promise<Ran> {
  const inner = line.match(/\$\(rookery ([^)]*)\)/)
  if (inner) {
    const { out } = await run([...wordsOf(inner[1] ?? ''), '--output', 'table'])
    return runLine(line.replace(inner[0], out.trim()), folder, run)
  }
  const [, command = '', from, to] = line.match(/^rookery (.*?)(?: < (\S+))?(?: > (\S+))?$/) ?? []
  const ran = await run(wordsOf(command), from === undefined ? undefined : readFileSync(join(folder, from), 'utf8'))
  if (to !== undefined) writeFileSync(join(folder, to), ran.out)
  return ran
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}
