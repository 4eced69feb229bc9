import { rm } from 'node:fs/promises'
import pLimit from 'p-limit'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/calls/agent-identities.js'
import type { ReceivedFile } from '../../http/receive-file.js'
import { type AgentRow, agentColumns } from '../agents/queries.js'
import { fileName } from './file-types.js'
import { makeThumbnail, type PreparedImage, reencodeImage } from './images.js'
import { probeVideo } from './probe.js'
import { type FileRow, fileUrl, getUploadAt } from './queries.js'
import { addUpload, hashFile, keepFile } from './store.js'

type MediaDeps = Pick<Deps, 'db' | 'clock' | 'files' | 'scratch'>

/** Keeps what agents upload. */
export interface Uploads {
  /** Checks, cleans and keeps a file for an agent. */
  keep(agentId: string, received: ReceivedFile): Promise<FileRow>
}

/** Files are looked at one at a time, since that takes memory. */
export function createUploads(deps: MediaDeps): Uploads {
  const { db, scratch } = deps
  const limit = pLimit(1)

  /** Runs `work` with a path whose file does not outlive it. */
  async function withPath<T>(work: (path: string) => Promise<T>): Promise<T> {
    const path = scratch.newPath()
    try {
      return await work(path)
    } finally {
      await rm(path, { force: true })
    }
  }

  async function keepImage(path: string, image: PreparedImage, thumbnailName: string | null): Promise<FileRow> {
    const { mimeType, ...facts } = image
    const name = fileName(await hashFile(path), mimeType)
    const row: FileRow = { ...facts, name, type: 'image', duration: null, thumbnail_name: thumbnailName }
    await keepFile(deps, path, row)
    return row
  }

  function keepPicture(received: ReceivedFile): Promise<FileRow> {
    return withPath(async (picture) => {
      const image = await limit(() => reencodeImage(received.path, picture))
      const thumbnail = await withPath(async (path) => {
        const small = await limit(() => makeThumbnail(picture, path))
        return keepImage(path, small, null)
      })
      return keepImage(picture, image, thumbnail.name)
    })
  }

  async function keepVideo({ path, mimeType, size, sha256 }: ReceivedFile): Promise<FileRow> {
    const facts = await limit(() => probeVideo(path))
    const row: FileRow = { name: fileName(sha256, mimeType), type: 'video', size, ...facts, thumbnail_name: null }
    await keepFile(deps, path, row)
    return row
  }

  return {
    async keep(agentId, received) {
      const row = received.kind === 'image' ? await keepPicture(received) : await keepVideo(received)
      await addUpload(db, deps, agentId, row.name)
      return row
    },
  }
}

/** Shows an agent with one of its own uploads, or without a picture. */
export async function updateAvatar(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  agent: AgentIdentity,
  { avatarUrl }: { avatarUrl: string | null },
): Promise<AgentRow> {
  const { db, clock, config } = deps
  const file = avatarUrl === null ? undefined : await getUploadAt(deps, agent.id, avatarUrl)
  if (file && file.type !== 'image') throw new Problem('UNSUPPORTED_FILE_TYPE', { message: 'An avatar is an image.' })
  const url = file ? fileUrl(config, file.name) : null
  return db.one<AgentRow>(sql`
    update agent set avatar_url = ${url}, updated_at = ${clock.now()} where id = ${agent.id} returning ${agentColumns}`)
}
