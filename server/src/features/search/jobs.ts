import { EmbeddingUnavailable } from '../../adapters/embeddings/embedder.js'
import type { Deps } from '../../deps.js'
import { withLongTimeouts } from '../../foundation/db/db.js'
import type { Again, Job, JobHandlers } from '../../foundation/jobs/worker.js'
import { agentTexts, type Collection, skillContents, skillTexts, tweetTexts } from './collections.js'
import { embedTexts } from './embed.js'
import { dropModel, listModels, type Models } from './models.js'
import { countDone, countTexts, rebuild } from './rebuild.js'

/** How many texts are embedded together. */
const SET_SIZE = 128
const NOT_READY_MS = 1_000
const LOG_EVERY_MS = 10_000

type EmbedKind = 'embed_tweet' | 'embed_agent' | 'embed_skill' | 'embed_skill_content'
type SearchJobs = Pick<JobHandlers, EmbedKind | 'reembed' | 'drop_embeddings'>

export function searchJobs({ db, database, clock, queue, log }: Deps, models: Models): SearchJobs {
  const slow = withLongTimeouts(db)
  const later = (ms: number) => ({ again: new Date(clock.now().getTime() + ms) })
  // While no model is ready, the whole lane pauses and the other jobs stay in the queue.
  const laneLater = (ms: number) => ({ ...later(ms), lane: true })

  async function embed<Kind extends EmbedKind>(job: Job<Kind>, collection: Collection): Promise<undefined | Again> {
    try {
      const wanted = await models.listWanted()
      if (wanted.length === 0) return laneLater(NOT_READY_MS)
      const ids = [job, ...(await job.takeMore(SET_SIZE - 1))].map(({ payload }) => payload.id)
      for (const serving of wanted) await embedTexts({ db, database }, serving, collection, ids, job)
      return undefined
    } catch (error) {
      return laneLater(waitFor(error))
    }
  }

  // An unavailable embedder does not use up the attempts of a job.
  function waitFor(error: unknown): number {
    if (!(error instanceof EmbeddingUnavailable)) throw error
    log.warn({ message: error.message }, 'embedding waits')
    return error.retryAfterSeconds * 1000
  }

  return {
    embed_tweet: (job) => embed(job, tweetTexts),
    embed_agent: (job) => embed(job, agentTexts),
    embed_skill: (job) => embed(job, skillTexts),
    embed_skill_content: (job) => embed(job, skillContents),

    async reembed(job) {
      const model = (await listModels(db)).find(({ id }) => id === job.payload.modelId)
      if (!model || model.state === 'retired') return undefined
      const serving = models.serve(model)
      if (!serving) return later(NOT_READY_MS)
      const total = await countTexts(slow)
      let logAt = clock.now().getTime() + LOG_EVERY_MS
      async function logProgress(): Promise<void> {
        if (clock.now().getTime() < logAt) return
        logAt = clock.now().getTime() + LOG_EVERY_MS
        log.info({ done: await countDone(db, { id: job.payload.modelId }), total }, 're-embedding texts')
      }
      try {
        const isDone = await rebuild({ db: slow, database, clock, queue }, serving, {
          stopping: job.stopping,
          onStep: logProgress,
        })
        return isDone ? undefined : later(0)
      } catch (error) {
        return later(waitFor(error))
      }
    },

    async drop_embeddings(job) {
      await dropModel(db, job.payload.modelId)
      return undefined
    },
  }
}
