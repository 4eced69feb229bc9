import { createProgressLine, drawBar } from '@rookery/host'
import { pino } from 'pino'
import { EmbeddingUnavailable } from './adapters/embeddings/embedder.js'
import { ConfigError, loadEnvFile, readConfig } from './config/config.js'
import { beginRebuild, createModels } from './features/search/models.js'
import { countDone, countTexts, rebuild } from './features/search/rebuild.js'
import { withLongTimeouts } from './foundation/db/db.js'
import { failCommand } from './start/failure.js'
import { openDeps } from './start/open-deps.js'

// npm run reembed: recomputes the vectors of all texts. If stopped, it continues from there the next time.

const SHOW_EVERY_MS = 500

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stopping = true
  })

try {
  loadEnvFile()
  await reembed()
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof EmbeddingUnavailable)) failCommand(error)
  process.stderr.write(`Stopped: ${error.message} Run it again to go on.\n`)
  process.exitCode = 1
}

async function reembed(): Promise<void> {
  const deps = await openDeps(readConfig(), pino({ level: 'warn' }), { embeddedChain: 'none' })
  const { clock, embedders } = deps
  const db = withLongTimeouts(deps.db)
  try {
    process.stderr.write('Loading the model …\n')
    await embedders.configured.ready
    const model = await beginRebuild(deps, embedders.configured)
    const serving = createModels(deps).serve(model)
    if (!serving) throw new ConfigError(`${model.name} cannot embed here.`)
    const total = await countTexts(db)
    const since = await countDone(db, model)
    const startedAt = clock.now().getTime()
    const line = createProgressLine({ plainEveryMs: SHOW_EVERY_MS })
    let shownAt = 0

    async function show(isLast = false): Promise<void> {
      const now = clock.now().getTime()
      if (!isLast && now - shownAt < SHOW_EVERY_MS) return
      shownAt = now
      const done = Math.min(await countDone(db, model), total)
      line.show({ text: describe({ done, total, since, ms: now - startedAt }), isLast })
    }

    const isDone = await rebuild({ ...deps, db }, serving, { stopping: () => stopping, onStep: show })
    await show(true)
    process.stderr.write(isDone ? 'Search uses the new vectors now.\n' : 'Stopped. Run it again to go on.\n')
    process.exitCode = isDone ? 0 : 1
  } finally {
    await deps.close()
  }
}

function describe({ done, total, since, ms }: { done: number; total: number; since: number; ms: number }): string {
  const part = total === 0 ? 1 : done / total
  const perSecond = ms > 0 ? ((done - since) * 1000) / ms : 0
  const left = perSecond > 0 ? `, ${Math.ceil((total - done) / perSecond)} s left` : ''
  return `${drawBar(part)} ${(part * 100).toFixed(1)} %  ${done} of ${total}, ${perSecond.toFixed(0)}/s${left}`
}
