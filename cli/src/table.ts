import { cutTo, widthOf } from './text-width.js'
import { cellOf, type Row } from './values.js'

const WIDEST_CELL = 48
const GAP = 2

interface Column {
  readonly name: string
  readonly cells: readonly string[]
  readonly width: number
}

/** Renders rows as a table. Leaves out columns that are empty or do not fit on the screen. */
export function renderTable(rows: readonly Row[], columns: number): string {
  const all = [...new Set(rows.flatMap(Object.keys))].map((name) => columnOf(name, rows))
  const filled = all.filter((column) => column.cells.some((cell) => cell !== ''))
  const fitting = fit(filled, columns)
  const lines = [fitting.map(({ name }) => name), ...rows.map((_, row) => fitting.map(({ cells }) => cells[row] ?? ''))]
  const text = lines
    .map((line) =>
      line
        .map((cell, at) => pad(cell, fitting[at]))
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
    .join('\n')
  const hidden = filled.length - fitting.length
  return `${text}\n${hidden > 0 ? `(+${hidden} ${hidden > 1 ? 'columns' : 'column'}: --output json)\n` : ''}`
}

function columnOf(name: string, rows: readonly Row[]): Column {
  const cells = rows.map((row) => cutTo(cellOf(row[name]), WIDEST_CELL))
  return { name, cells, width: Math.max(widthOf(name), ...cells.map(widthOf)) }
}

function fit(all: readonly Column[], columns: number): Column[] {
  let left = columns + GAP
  return all.filter(({ width }, at) => {
    if (at > 0 && width + GAP > left) return false
    left -= width + GAP
    return true
  })
}

function pad(cell: string, column: Column | undefined): string {
  const space = ' '.repeat(Math.max(0, (column?.width ?? 0) - widthOf(cell)))
  return column?.cells.every((other) => /^-?[0-9.]*$/.test(other)) ? `${space}${cell}` : `${cell}${space}`
}
