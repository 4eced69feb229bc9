import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { acceptedUploads } from '@rookery/api'
import { VideoRefused, VideoUnavailable, type WantedVideo } from '../../adapters/video/video-maker.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { getIdentity } from '../../foundation/callers/agent-identities.js'
import type { Job, JobHandlers } from '../../foundation/jobs/worker.js'
import { receiveFile } from '../../foundation/received-file.js'
import { isServed } from '../media/queries.js'
import type { Uploads } from '../media/uploads.js'
import { endVideo, saveVideoProgress } from './actions.js'
import { findVideo, type VideoRow } from './queries.js'

const MAX_FAILURES = 5
const FIRST_RETRY_MS = 2_000
const MAX_AGE_MS = 60 * 60_000
const CHECK_EVERY_MS = 250

const PICTURE_GONE = 'The picture no longer exists, or was taken down.'

type VideoJob = Job<'make_video'>

export function videoJobs(deps: Deps, uploads: Uploads): Pick<JobHandlers, 'make_video'> {
  const { db, clock, log, files, scratch, mediaUrls, videoMaker } = deps
  const later = (ms: number) => ({ again: new Date(clock.now().getTime() + ms) })

  return {
    async make_video(job) {
      const video = await findVideo(db, job.payload.videoId)
      if (!video || video.status === 'completed') return undefined
      if (video.status === 'failed') return cancelAtProvider(video)
      if (clock.now().getTime() - video.created_at.getTime() > MAX_AGE_MS) {
        await endVideo(deps, video.id, { error: 'It took too long.' })
        return cancelAtProvider(video)
      }
      const obstacle = await findObstacle(video)
      if (obstacle !== undefined) {
        await endVideo(deps, video.id, { error: obstacle })
        return cancelAtProvider(video)
      }
      const target = scratch.newPath()
      try {
        return await advance(job, video, target)
      } catch (error) {
        return await handleFailure(job, video, error)
      } finally {
        await rm(target, { force: true })
      }
    },
  }

  /** Cancels the video at the provider. */
  async function cancelAtProvider({ provider_id }: VideoRow): Promise<undefined> {
    if (provider_id === null) return
    await videoMaker.cancel(provider_id).catch((error: Error) => {
      log.warn({ message: error.message }, 'an unwanted video could not be cancelled')
    })
  }

  async function advance(job: VideoJob, video: VideoRow, target: string) {
    const watch = watchJob(job, video)
    try {
      const { signal, onProgress } = watch
      const making = await videoMaker.advance(wanted(video), { target, signal, onProgress })
      if (making.isDone) return await finish(video, target)
      const isWanted = await saveVideoProgress(db, video.id, { progress: 0, ...making })
      if (job.payload.failures > 0) await job.saveProgress(db, { ...job.payload, failures: 0 })
      return isWanted ? later(making.askAgainMs) : later(0)
    } finally {
      watch.end()
    }
  }

  async function finish(video: VideoRow, target: string): Promise<undefined> {
    // It may have appeared while the video was made.
    const obstacle = await findObstacle(video)
    if (obstacle !== undefined) throw new VideoRefused(obstacle)
    // The video was made elsewhere, so it is checked like any upload.
    const path = scratch.newPath()
    try {
      const received = await receiveFile(createReadStream(target), path, { video: acceptedUploads.video })
      const { name } = await uploads.keep(deps, video.agent_id, received)
      await endVideo(deps, video.id, { fileName: name })
    } finally {
      await rm(path, { force: true })
    }
  }

  /** Aborts when the process stops, or the video is no longer wanted. */
  function watchJob(job: VideoJob, video: VideoRow) {
    const stopping = new AbortController()
    const timer = setInterval(() => job.stopping() && stopping.abort(), CHECK_EVERY_MS)
    return {
      signal: stopping.signal,
      onProgress(progress: number) {
        void saveVideoProgress(db, video.id, { progress: Math.min(99, progress) })
          .then((isWanted) => isWanted || stopping.abort())
          .catch(() => {})
      },
      end: () => clearInterval(timer),
    }
  }

  async function handleFailure(job: VideoJob, video: VideoRow, error: unknown) {
    const current = await findVideo(db, video.id)
    if (job.stopping() || current?.status !== 'processing') return later(0)
    const { message } = error as Error
    if (error instanceof VideoRefused) return endVideo(deps, video.id, { error: message }).then(() => undefined)
    if (error instanceof Problem && error.code !== 'NOT_READY') {
      await endVideo(deps, video.id, { error: `The result cannot be stored: ${message}` })
      return undefined
    }
    log.warn({ videoId: video.id, message }, 'a video is tried again')
    if (error instanceof VideoUnavailable && error.isBusy) return later((error.retryAfterSeconds ?? 10) * 1000)
    const failures = job.payload.failures + 1
    if (failures >= MAX_FAILURES) {
      await endVideo(deps, video.id, { error: 'Several attempts failed. Try again later.' })
      return cancelAtProvider(video)
    }
    await job.saveProgress(db, { ...job.payload, failures })
    return later(FIRST_RETRY_MS * 2 ** (failures - 1))
  }

  function wanted({ id, prompt, images, provider_id }: VideoRow): WantedVideo {
    const [url] = images
    // The provider fetches it.
    return {
      id,
      prompt,
      providerId: provider_id,
      image: url === undefined ? undefined : { url: mediaUrls.sign(url), copyTo: copyOf(url) },
    }
  }

  /** Why a video that was asked for may not be made any more. */
  async function findObstacle({ agent_id, images }: VideoRow): Promise<string | undefined> {
    const { frozen, status } = await getIdentity(db, agent_id)
    if (frozen) return 'The agent is frozen.'
    if (status === 'suspended') return 'The agent is suspended.'
    for (const url of images) if (!(await isServed(db, nameOf(url)))) return PICTURE_GONE
    return undefined
  }

  function copyOf(url: string): (path: string) => Promise<void> {
    return async (path) => {
      const content = await files.read(nameOf(url))
      if (!content) throw new VideoRefused(PICTURE_GONE)
      await pipeline(content, createWriteStream(path))
    }
  }
}

const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)
