import type { ReactNode } from 'react'
import { placesFor } from '../format/bnb.js'
import { Worth } from './money.js'
import { TableScroll } from './table-scroll.js'

export interface Column<Row> {
  readonly head: string
  readonly cell?: (row: Row) => ReactNode
  /** Instead of a cell: an amount of BNB, shown with as many decimal places as the others of the column. */
  readonly amount?: (row: Row) => string
  /** The kind of content, if it is not text. */
  readonly kind?: 'name' | 'figure' | 'time'
  /** Whether a small screen hides the column. */
  readonly isWide?: boolean
  /** Whether the cell is the row's header. */
  readonly isTitle?: boolean
}

export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  className = '',
  rowClass,
}: {
  /** The name of the table, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  className?: string
  rowClass?: (row: Row) => string | undefined
}) {
  const places = new Map(
    columns.flatMap(({ head, amount }) => (amount ? [[head, placesFor(rows.map(amount))] as const] : [])),
  )
  const content = ({ head, amount, cell }: Column<Row>, row: Row) =>
    amount ? <Worth bnb={amount(row)} places={places.get(head)} /> : cell?.(row)
  return (
    <TableScroll label={caption}>
      <table className={`rows ${className}`.trim()}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" className={headClass(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={rowClass?.(row)}>
              {columns.map((column) =>
                column.isTitle ? (
                  <th key={column.head} scope="row" className={cellClass(column)}>
                    {content(column, row)}
                  </th>
                ) : (
                  <td key={column.head} className={cellClass(column)}>
                    {content(column, row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}

const cells = { name: 'name-cell', figure: 'figure-cell', time: 'figure-cell time-cell' } as const

type Look = Pick<Column<never>, 'kind' | 'isWide'>

function headClass({ kind, isWide }: Look): string | undefined {
  return classes(kind === 'figure' || kind === 'time' ? 'figure-cell' : undefined, isWide)
}

function cellClass({ kind, isWide }: Look): string | undefined {
  return classes(kind && cells[kind], isWide)
}

function classes(own: string | undefined, isWide: boolean | undefined): string | undefined {
  return [own, isWide ? 'wide-cell' : undefined].filter(Boolean).join(' ') || undefined
}
