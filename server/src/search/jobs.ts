import { EmbeddingUnavailable } from '../adapters/embeddings/embedder.js'
import type { Deps } from '../deps.js'
import type { Job, JobHandlers } from '../jobs/worker.js'
import { agentTexts, type Collection, skillContents, skillTexts, tweetTexts } from './collections.js'
import { embedTexts } from './embed.js'
import { dropModel, listModels } from './models.js'
import { countDone, countTexts, rebuild } from './rebuild.js'

const BATCH = 32
const BUSY_MS = 100
const NOT_READY_MS = 1_000
const TELL_EVERY_MS = 10_000

type EmbedKind = 'embed_tweet' | 'embed_agent' | 'embed_skill' | 'embed_skill_content'
type SearchJobs = Pick<JobHandlers, EmbedKind | 'reembed' | 'drop_embeddings'>

export function searchJobs({ db, clock, queue, searchModels, log }: Deps): SearchJobs {
  const later = (ms: number) => ({ again: new Date(clock.now().getTime() + ms) })
  let isEmbedding = false

  // One batch at a time: the model would take no more, and an API that does not answer holds up no other work.
  async function embed<Kind extends EmbedKind>(
    job: Job<Kind>,
    collection: Collection,
  ): Promise<undefined | { again: Date }> {
    if (isEmbedding) {
      await job.takeMore(1_000)
      return later(BUSY_MS)
    }
    isEmbedding = true
    try {
      const wanted = await searchModels.listWanted()
      if (wanted.length === 0) return later(NOT_READY_MS)
      const ids = [job.payload, ...(await job.takeMore(BATCH - 1))].map(({ id }) => id)
      for (const serving of wanted) await embedTexts(db, serving, collection, ids)
      return undefined
    } catch (error) {
      return waitFor(error)
    } finally {
      isEmbedding = false
    }
  }

  // What is only away comes back; the job keeps its attempts for faults of its own.
  function waitFor(error: unknown): { again: Date } {
    if (!(error instanceof EmbeddingUnavailable)) throw error
    log.warn({ message: error.message }, 'embedding waits')
    return later(error.retryAfterSeconds * 1000)
  }

  return {
    embed_tweet: (job) => embed(job, tweetTexts),
    embed_agent: (job) => embed(job, agentTexts),
    embed_skill: (job) => embed(job, skillTexts),
    embed_skill_content: (job) => embed(job, skillContents),

    async reembed(job) {
      const model = (await listModels(db)).find(({ id }) => id === job.payload.modelId)
      if (!model || model.state === 'retired') return undefined
      const serving = searchModels.serve(model)
      if (!serving) return later(NOT_READY_MS)
      const total = await countTexts(db)
      let tellAt = clock.now().getTime() + TELL_EVERY_MS
      async function tell(): Promise<void> {
        if (clock.now().getTime() < tellAt) return
        tellAt = clock.now().getTime() + TELL_EVERY_MS
        log.info({ done: await countDone(db, { id: job.payload.modelId }), total }, 'embedding anew')
      }
      try {
        const isDone = await rebuild({ db, clock, queue }, serving, { stopping: job.stopping, onStep: tell })
        return isDone ? undefined : later(0)
      } catch (error) {
        return waitFor(error)
      }
    },

    async drop_embeddings(job) {
      await dropModel(db, job.payload.modelId)
      return undefined
    },
  }
}
