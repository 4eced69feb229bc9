import { type FileHandle, open, readFile } from 'node:fs/promises'
import { writeWhole } from '@rookery/host'

/** The block that a journal goes on from. */
export interface BlockId {
  readonly number: number
  readonly hash: string
}

/** What a journal says, in order: transactions that were taken, and hashes that blocks came to have. */
export type JournalEntry =
  | { readonly kind: 'transaction'; readonly position: number; readonly timestamp: number; readonly raw: string }
  | ({ readonly kind: 'block' } & BlockId)

/** The transactions taken since a block, one per line, written before they are executed. */
export interface Journal {
  /** How many transactions it holds. */
  readonly length: number
  /** How many lines, with those that are no transactions. */
  readonly lines: number
  /** Adds transactions, and answers their positions when they are on disk. */
  add(transactions: readonly { timestamp: number; raw: string }[]): Promise<number[]>
  /** Remembers that a transaction was refused, so that a replay leaves it out. */
  refuse(position: number): Promise<void>
  /** Remembers a block's hash, which a replay has to come to. */
  confirm(block: BlockId): Promise<void>
  /** Puts everything on disk. */
  flush(): Promise<void>
  close(): Promise<void>
}

const LINE = /^(?:(\d+) (0x[0-9a-f]+)|# (\d+) (0x[0-9a-f]{64})|! (\d+))$/

/** Makes a journal that goes on from a block; without one, that of a new chain. */
export function createJournal(file: string, base?: BlockId): Promise<void> {
  return writeWhole(file, base ? `${blockLine(base)}\n` : '')
}

/** Opens a journal and reads it. A last line without its end was never acknowledged, and is cut off. */
export async function openJournal(
  file: string,
  leastLines: number,
): Promise<{ journal: Journal; entries: JournalEntry[] }> {
  const { length, lines, entries, count } = await readJournal(file, leastLines)
  const handle = await open(file, 'r+')
  await handle.truncate(length)
  return { journal: writer(handle, { length, lines, count }), entries }
}

/** Reads a journal, which has to have at least so many whole lines. */
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
  return { entries: entries.filter((it) => it.kind === 'block' || !refused.has(it.position)), count }
}

const blockLine = ({ number, hash }: BlockId) => `# ${number} ${hash}`

function writer(handle: FileHandle, start: { length: number; lines: number; count: number }): Journal {
  let { length, lines, count } = start

  async function append(added: readonly string[]): Promise<void> {
    const text = `${added.join('\n')}\n`
    try {
      await handle.write(text, length, 'latin1')
    } catch (error) {
      // A part of it may be there, and the next line must not be glued to it.
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
