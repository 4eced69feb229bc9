/** A fenced block of a Markdown text. */
export interface FencedBlock {
  readonly info: string
  readonly text: string
}

/** A Markdown text split as CommonMark does: fenced blocks (words of others without the mark before their lines), the text outside, and whether all fences are closed. */
export interface Fences {
  readonly blocks: FencedBlock[]
  readonly outside: string
  readonly isClosed: boolean
}

export function readFences(markdown: string): Fences {
  const blocks: FencedBlock[] = []
  const outside: string[] = []
  let open: { fence: string; info: string; lines: string[] } | undefined
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    if (open) {
      const closing = line.match(/^ {0,3}(`{3,}|~{3,})[ \t]*$/)?.[1]
      if (closing?.startsWith(open.fence)) {
        blocks.push({ info: open.info, text: unmark(open).join('\n') })
        open = undefined
      } else open.lines.push(line)
      continue
    }
    const [, fence, info = ''] = line.match(/^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/) ?? []
    if (fence) open = { fence, info: info.trim(), lines: [] }
    else outside.push(line)
  }
  return { blocks, outside: outside.join('\n'), isClosed: open === undefined }
}

function unmark({ info, lines }: { info: string; lines: readonly string[] }): readonly string[] {
  if (!info.startsWith('text data:')) return lines
  const bare = lines.find((line) => !line.startsWith('| '))
  if (bare !== undefined) throw new Error(`A line of others begins without a mark: ${bare}`)
  return lines.map((line) => line.slice(2))
}
