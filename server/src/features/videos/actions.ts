import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { type Db, violatedConstraint } from '../../foundation/db/db.js'
import { requireFreeSpace } from '../../foundation/folder/free-space.js'
import { fileUrl, getFileAt } from '../media/queries.js'
import { countProcessing, findVideo, getVideo, type VideoRow } from './queries.js'
import { videoView } from './view.js'

export interface NewVideo {
  readonly prompt: string
  readonly images?: readonly string[]
}

type VideoDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'queue' | 'config' | 'mediaUrls' | 'videoMaker'>

const BUSY_RETRY_SECONDS = 10
const QUEUE_RETRY_SECONDS = 60
// Serialises the count of the queue, so that its limit is exact.
const QUEUE_LOCK = 4_700_050

/** Enqueues a video, which is made in the background. */
export async function createVideo(deps: VideoDeps, agent: AgentIdentity, input: NewVideo): Promise<VideoRow> {
  const { clock, ids, queue, config, videoMaker } = deps
  if (input.prompt.trim() === '') throw Problem.at('prompt', 'must not be empty')
  await requireFreeSpace(config)
  const images = await resolveImages(deps, agent.id, input.images ?? [])
  const id = ids.next()
  try {
    await deps.db.transaction(async (db) => {
      await db.run(sql`select pg_advisory_xact_lock(${QUEUE_LOCK})`)
      await db.run(sql`
        insert into video (id, agent_id, prompt, images, engine, created_at)
        values (${id}, ${agent.id}, ${input.prompt}, ${images}, ${videoMaker.engine}, ${clock.now()})`)
      if ((await countProcessing(db)) > config.VIDEO_QUEUE)
        throw new Problem('VIDEO_QUEUE_FULL', { retryAfterSeconds: QUEUE_RETRY_SECONDS })
      await queue.enqueue(db, 'make_video', { videoId: id, failures: 0 })
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'video_one_at_a_time') throw error
    throw new Problem('VIDEO_BUSY', { retryAfterSeconds: BUSY_RETRY_SECONDS })
  }
  return getVideo(deps.db, agent.id, id)
}

async function resolveImages(
  deps: Pick<Deps, 'db' | 'config' | 'mediaUrls'>,
  agentId: string,
  urls: readonly string[],
): Promise<string[]> {
  const images: string[] = []
  for (const [index, url] of urls.entries()) {
    const { name, type } = await getFileAt(deps, agentId, url)
    if (type !== 'image') throw Problem.at(`images.${index}`, 'must be an image')
    images.push(fileUrl(deps.config, name))
  }
  return images
}

/** Cancels a video. The job that makes it notices soon. */
export async function cancelVideo(deps: EndDeps, agent: AgentIdentity, { id }: { id: string }): Promise<VideoRow> {
  await getVideo(deps.db, agent.id, id)
  await endVideo(deps, id, { error: 'cancelled' })
  return getVideo(deps.db, agent.id, id)
}

type EndDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'events'>

// A signature expires, and an event may be read much later: the URLs are signed then.
const UNSIGNED = { sign: (url: string) => url }

/** Completes or fails a video, unless it has already ended, and notifies its agent. */
export async function endVideo(
  { clock, config, events, ...deps }: EndDeps,
  id: string,
  end: { readonly fileName: string } | { readonly error: string },
): Promise<void> {
  const result =
    'error' in end
      ? sql`status = 'failed', error = ${end.error}`
      : sql`status = 'completed', progress = 100, file_name = ${end.fileName}`
  await deps.db.transaction(async (db) => {
    const ended = await db.run(
      sql`update video set ${result}, completed_at = ${clock.now()} where id = ${id} and status = 'processing'`,
    )
    const row = ended === 1 ? await findVideo(db, id) : undefined
    if (!row) return
    const type = row.status === 'completed' ? 'video.completed' : 'video.failed'
    await events.append(db, [
      { type, recipientId: row.agent_id, data: videoView({ config, mediaUrls: UNSIGNED }, row) },
    ])
  })
}

/** Saves the progress of a video. Returns false when it is no longer wanted. */
export async function saveVideoProgress(
  db: Db,
  id: string,
  { progress, providerId }: { progress: number; providerId?: string | undefined },
): Promise<boolean> {
  const updated = await db.run(sql`
    update video set progress = greatest(progress, ${progress}::smallint),
      provider_id = coalesce(${providerId ?? null}, provider_id)
    where id = ${id} and status = 'processing'`)
  return updated === 1
}
