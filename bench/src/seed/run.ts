import type { Db } from '@rookery/server/database'
import type { ProgressBar } from '@rookery/tooling/progress-bar'
import sql from 'sql-template-tag'
import { readProgress, type StepProgress, saveProgress } from './progress.js'
import type { Chunk, ChunkedStep, Step } from './step.js'

/** Runs steps from where they stopped. Returns false if `stopping` ended it, which it does after the current chunk. */
export async function runSteps(
  db: Db,
  steps: readonly Step[],
  { bar, stopping }: { bar: ProgressBar; stopping(): boolean },
): Promise<boolean> {
  const unchecked = await mayLeaveForeignKeysUnchecked(db)
  for (const step of steps) {
    const progress = await readProgress(db, step.name)
    if (progress.finished) continue
    if (stopping()) return false
    const rows = 'chunk' in step ? await runChunks(db, step, progress, { unchecked, bar, stopping }) : await runWhole()
    if (rows === undefined) return false
    bar.finish(step.name, 'chunk' in step ? `${rows.toLocaleString('en')} rows` : 'done')

    async function runWhole(): Promise<number> {
      if ('chunk' in step) return 0
      bar.update(step.name, 0, 1)
      const finished = { next: 1, rows: 0, finished: true }
      if (step.alone) {
        await step.run(db)
        await saveProgress(db, step.name, finished)
        return 0
      }
      await db.transaction(async (db) => {
        await step.run(db)
        await saveProgress(db, step.name, finished)
      })
      return 0
    }
  }
  return true
}

async function runChunks(
  db: Db,
  step: ChunkedStep,
  start: StepProgress,
  { unchecked, bar, stopping }: { unchecked: boolean; bar: ProgressBar; stopping(): boolean },
): Promise<number | undefined> {
  let progress = start
  while (!progress.finished) {
    if (stopping()) return undefined
    progress = await db.transaction(async (db) => {
      if (unchecked) await db.run(sql`set local session_replication_role = replica`)
      // A chunk lost in a power cut was not reported as finished.
      await db.run(sql`set local synchronous_commit = off`)
      const next = await runChunk(db, step, progress)
      await saveProgress(db, step.name, next)
      return next
    })
    if (step.rows === undefined) bar.update(step.name, Math.min(progress.next, step.numbers), step.numbers)
    else bar.update(step.name, progress.rows, step.rows)
  }
  return progress.rows
}

async function runChunk(db: Db, step: ChunkedStep, { next, rows }: StepProgress): Promise<StepProgress> {
  const end = step.rows === undefined || next < step.numbers ? step.numbers : Number.POSITIVE_INFINITY
  const chunk: Chunk = {
    from: next,
    to: Math.min(next + step.chunk, end),
    missing: step.rows === undefined ? 0 : step.rows - rows,
  }
  if (next > 10 * (step.numbers + step.chunk)) throw new Error(`${step.name}: only ${rows} different rows can be made`)
  const made = chunk.to > chunk.from ? await step.run(db, chunk) : 0
  const total = rows + made
  return {
    next: chunk.to,
    rows: total,
    finished: step.rows === undefined ? chunk.to >= step.numbers : total >= step.rows,
  }
}

// The rows are consistent by construction, and checking millions costs more than making them. Only a superuser may skip it.
async function mayLeaveForeignKeysUnchecked(db: Db): Promise<boolean> {
  const { rolsuper } = await db.one<{ rolsuper: boolean }>(
    sql`select rolsuper from pg_roles where rolname = current_user`,
  )
  return rolsuper
}
