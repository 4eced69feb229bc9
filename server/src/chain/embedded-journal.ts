import { type FileHandle, open, readFile } from 'node:fs/promises'
import { writeWhole } from './embedded-files.js'

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
  /** Adds transactions, and answers their positions when they are on disk. */
  add(transactions: readonly { timestamp: number; raw: string }[]): Promise<number[]>
  /** Remembers that a transaction was refused, so that a replay leaves it out. */
  refuse(position: number): Promise<void>
  /** Remembers a block's hash, which a replay has to come to. */
  confirm(block: BlockId): Promise<void>
  close(): Promise<void>
}

const LINE = /^(?:(\d+) (0x[0-9a-f]+)|# (\d+) (0x[0-9a-f]{64})|! (\d+))$/

/** Makes an empty journal. */
export function createJournal(file: string): Promise<void> {
  return writeWhole(file, '')
}

/** Opens a journal and reads it. A last line without its end was never acknowledged, and is cut off. */
export async function openJournal(file: string): Promise<{ journal: Journal; entries: JournalEntry[] }> {
  const text = await readFile(file, 'latin1')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const { entries, count } = parse(file, whole)
  const handle = await open(file, 'r+')
  await handle.truncate(whole.length)
  return { journal: writer(handle, whole.length, count), entries }
}

function parse(file: string, text: string): { entries: JournalEntry[]; count: number } {
  const entries: JournalEntry[] = []
  const refused = new Set<number>()
  let count = 0
  for (const [index, line] of text.split('\n').slice(0, -1).entries()) {
    const [, timestamp, raw, number, hash, position] = LINE.exec(line) ?? []
    if (raw) entries.push({ kind: 'transaction', position: count++, timestamp: Number(timestamp), raw })
    else if (hash) entries.push({ kind: 'block', number: Number(number), hash })
    else if (position) refused.add(Number(position))
    else throw new Error(`${file} is damaged in line ${index + 1}.`)
  }
  return { entries: entries.filter((it) => it.kind === 'block' || !refused.has(it.position)), count }
}

function writer(handle: FileHandle, startLength: number, startCount: number): Journal {
  let length = startLength
  let count = startCount

  async function append(lines: readonly string[]): Promise<void> {
    const text = `${lines.join('\n')}\n`
    try {
      await handle.write(text, length, 'latin1')
    } catch (error) {
      // A part of it may be there, and the next line must not be glued to it.
      await handle.truncate(length)
      throw error
    }
    length += text.length
  }

  return {
    get length() {
      return count
    },
    async add(transactions) {
      await append(transactions.map(({ timestamp, raw }) => `${timestamp} ${raw}`))
      await handle.datasync()
      return transactions.map(() => count++)
    },
    refuse: (position) => append([`! ${position}`]),
    confirm: ({ number, hash }) => append([`# ${number} ${hash}`]),
    close: () => handle.close(),
  }
}
