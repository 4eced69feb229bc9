import type { Db } from '@rookery/server/database'
import type { Sql } from 'sql-template-tag'

/** A part of a step: numbers from `from` up to, but excluding, `to`, for at most `missing` rows. */
export interface Chunk {
  readonly from: number
  readonly to: number
  readonly missing: number
}

/**
 * Work in chunks, each a transaction that also stores the progress. The step ends when it has made `rows` rows, continuing
 * beyond `numbers` if some of them gave none; without `rows` it ends after the last number.
 */
export interface ChunkedStep {
  readonly name: string
  readonly numbers: number
  readonly rows?: number
  readonly chunk: number
  run(db: Db, chunk: Chunk): Promise<number>
}

/** Work in one piece, which may be repeated. */
export interface WholeStep {
  readonly name: string
  /** Statements that PostgreSQL does not allow in a transaction. */
  readonly alone?: boolean
  run(db: Db): Promise<void>
}

export type Step = ChunkedStep | WholeStep

/** A chunked step of one statement. */
export function inserts(step: Omit<ChunkedStep, 'run'>, statement: (chunk: Chunk) => Sql): ChunkedStep {
  return { ...step, run: (db, chunk) => db.run(statement(chunk)) }
}

/** A step of some statements. */
export function statements(name: string, all: readonly Sql[], { alone = false } = {}): WholeStep {
  return {
    name,
    alone,
    async run(db) {
      for (const statement of all) await db.run(statement)
    },
  }
}
