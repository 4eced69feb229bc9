import { rm } from 'node:fs/promises'
import pLimit from 'p-limit'
import type { Deps } from '../../deps.js'
import type { ReceivedFile } from '../../foundation/received-file.js'
import { fileName } from './file-types.js'
import { makeThumbnail, type PreparedImage, reencodeImage } from './images.js'
import { probeVideo } from './probe.js'
import type { FileRow } from './queries.js'
import { addUpload, hashFile, keepFile } from './store.js'

type MediaDeps = Pick<Deps, 'db' | 'clock' | 'files' | 'scratch'>

export interface Uploads {
  /** Checks, cleans and stores a file for an agent. */
  keep(deps: MediaDeps, agentId: string, received: ReceivedFile): Promise<FileRow>
}

/** Processes files one at a time, to limit memory use. */
export function createUploads(): Uploads {
  const limit = pLimit(1)

  function keepPicture(deps: MediaDeps, received: ReceivedFile): Promise<FileRow> {
    return withPath(deps, async (picture) => {
      const image = await limit(() => reencodeImage(received.path, picture))
      const thumbnail = await withPath(deps, async (path) => {
        const small = await limit(() => makeThumbnail(picture, path))
        return keepImage(deps, path, small, null)
      })
      return keepImage(deps, picture, image, thumbnail.name)
    })
  }

  async function keepVideo(deps: MediaDeps, { path, mimeType, size, sha256 }: ReceivedFile): Promise<FileRow> {
    const facts = await limit(() => probeVideo(path))
    const row: FileRow = { name: fileName(sha256, mimeType), type: 'video', size, ...facts, thumbnail_name: null }
    await keepFile(deps, path, row)
    return row
  }

  return {
    async keep(deps, agentId, received) {
      const row = received.kind === 'image' ? await keepPicture(deps, received) : await keepVideo(deps, received)
      await deps.db.transaction((db) => addUpload(db, deps, agentId, row.name))
      return row
    },
  }
}

/** Runs `work` with a temporary path, and removes its file afterwards. */
async function withPath<T>({ scratch }: MediaDeps, work: (path: string) => Promise<T>): Promise<T> {
  const path = scratch.newPath()
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

async function keepImage(
  deps: MediaDeps,
  path: string,
  { mimeType, ...facts }: PreparedImage,
  thumbnailName: string | null,
): Promise<FileRow> {
  const name = fileName(await hashFile(path), mimeType)
  const row: FileRow = { ...facts, name, type: 'image', duration: null, thumbnail_name: thumbnailName }
  await keepFile(deps, path, row)
  return row
}
