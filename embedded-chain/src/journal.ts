import { type FileHandle, open, readFile } from 'node:fs/promises'
import { writeWhole } from '@rookery/host'

/** The block that a journal continues from. */
export interface BlockId {
  readonly number: number
  readonly hash: string
}

/** The entries of a journal, in order: accepted transactions, and the hashes of the blocks they led to. */
export type JournalEntry =
  | { readonly kind: 'transaction'; readonly position: number; readonly timestamp: number; readonly raw: string }
  | ({ readonly kind: 'block' } & BlockId)

/** The transactions accepted since a block, one per line, written before they are executed. */
export interface Journal {
  /** The number of transactions. */
  readonly length: number
  /** The number of lines, including those that are not transactions. */
  readonly lines: number
  /** Appends transactions; resolves with their positions when they are on disk. */
  add(transactions: readonly { timestamp: number; raw: string }[]): Promise<number[]>
  /** Records that a transaction was refused, so that a replay skips it. */
  refuse(position: number): Promise<void>
  /** Records a block's hash, which a replay must reproduce. */
  confirm(block: BlockId): Promise<void>
  /** Flushes everything to disk. */
  flush(): Promise<void>
  close(): Promise<void>
}

const LINE = /^(?:(\d+) (0x[0-9a-f]+)|# (\d+) (0x[0-9a-f]{64})|! (\d+))$/

/** Creates a journal that continues from a block, or that of a new chain. */
export function createJournal(file: string, base?: BlockId): Promise<void> {
  return writeWhole(file, base ? `${blockLine(base)}\n` : '')
}

/** Opens and reads a journal. An incomplete last line was never acknowledged and is cut off. */
export async function openJournal(
  file: string,
  leastLines: number,
): Promise<{ journal: Journal; entries: JournalEntry[] }> {
  const { length, lines, entries, count } = await readJournal(file, leastLines)
  const handle = await open(file, 'r+')
  await handle.truncate(length)
  return { journal: writer(handle, { length, lines, count }), entries }
}

/** Reads a journal; fails if it has fewer complete lines than `leastLines`. */
export async function readJournal(file: string, leastLines: number) {
  const text = await readFile(file, 'latin1').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`${file} is missing.`) : error
  })
  const length = text.lastIndexOf('\n') + 1
  const lines = text.slice(0, length).split('\n').slice(0, -1)
  const parsed = parse(file, lines)
  if (lines.length < leastLines)
    throw new Error(`${file} is damaged: it has ${lines.length} whole lines, and had ${leastLines} before.`)
  return { ...parsed, length, lines: lines.length }
}

function parse(file: string, lines: readonly string[]): { entries: JournalEntry[]; count: number } {
  const entries: JournalEntry[] = []
  const refused = new Set<number>()
  let count = 0
  for (const [index, line] of lines.entries()) {
    const [, timestamp, raw, number, hash, position] = LINE.exec(line) ?? []
    if (raw) entries.push({ kind: 'transaction', position: count++, timestamp: Number(timestamp), raw })
    else if (hash) entries.push({ kind: 'block', number: Number(number), hash })
    else if (position) refused.add(Number(position))
    else throw new Error(`${file} is damaged in line ${index + 1}.`)
  }
  return { entries: entries.filter((entry) => entry.kind === 'block' || !refused.has(entry.position)), count }
}

const blockLine = ({ number, hash }: BlockId) => `# ${number} ${hash}`

function writer(handle: FileHandle, start: { length: number; lines: number; count: number }): Journal {
  let { length, lines, count } = start

  async function append(added: readonly string[]): Promise<void> {
    const text = `${added.join('\n')}\n`
    try {
      await handle.write(text, length, 'latin1')
    } catch (error) {
      // Part of the line may have been written, and the next line must not be appended to it.
      await handle.truncate(length)
      throw error
    }
    length += text.length
    lines += added.length
  }

  return {
    get length() {
      return count
    },
    get lines() {
      return lines
    },
    async add(transactions) {
      await append(transactions.map(({ timestamp, raw }) => `${timestamp} ${raw}`))
      await handle.datasync()
      return transactions.map(() => count++)
    },
    refuse: (position) => append([`! ${position}`]),
    confirm: (block) => append([blockLine(block)]),
    flush: () => handle.datasync(),
    close: () => handle.close(),
  }
}
