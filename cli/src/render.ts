import { oneLine, plainText } from './plain-text.js'
import { renderTable } from './table.js'
import { cellOf, isRecord, isRecordList, type Row } from './values.js'

interface Page {
  readonly data: readonly unknown[]
  readonly meta?: { readonly page?: number; readonly total?: number; readonly nextCursor?: string | null }
}

/** Renders an answer for people: a list as a table, an object as lines of name and value. */
export function renderAnswer(answer: unknown, columns: number): string {
  if (isPage(answer)) return renderPage(answer, columns)
  if (isRecordList(answer)) return renderTable(answer, columns)
  if (isRecord(answer)) return renderRecord(answer, columns)
  return `${cellOf(answer)}\n`
}

function isPage(answer: unknown): answer is Page {
  return isRecord(answer) && Array.isArray(answer.data) && isRecord(answer.meta)
}

function renderPage({ data, meta }: Page, columns: number): string {
  const rows = isRecordList(data) ? renderTable(data, columns) : data.map((item) => `${cellOf(item)}\n`).join('')
  const shown = `${data.length} of ${meta?.total ?? data.length}`
  const next = typeof meta?.nextCursor === 'string' ? ` Next: --cursor ${oneLine(meta.nextCursor)}` : ''
  return `${rows}${rows && '\n'}${shown}.${next}\n`
}

function renderRecord(record: Row, columns: number): string {
  const lines = flatten(record)
  const width = Math.max(...lines.map(([name]) => name.length), 0)
  const indent = ' '.repeat(width + 2)
  return lines
    .map(([name, value]) =>
      isRecordList(value)
        ? `${name}\n${renderTable(value, columns)}`
        : `${name.padEnd(width + 2)}${textOf(value).replace(/\n(?!\n)/g, `\n${indent}`)}\n`,
    )
    .join('')
}

function flatten(record: Row, prefix = ''): [string, unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const path = `${prefix}${oneLine(name)}`
    return isRecord(value) ? flatten(value, `${path}.`) : [[path, value]]
  })
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? plainText(value).trim() : cellOf(value)) || '-'
}
