import { rm } from 'node:fs/promises'
import { createTurns } from '../../base/turns.js'
import type { Deps } from '../../deps.js'
import type { ReceivedFile } from '../../foundation/received-file.js'
import { fileName } from './file-types.js'
import { makeThumbnail, type PreparedImage, reencodeImage } from './images.js'
import { probeVideo } from './probe.js'
import type { FileRow } from './queries.js'
import { addUpload, hashFile, keepFile, removeUnused, type StoredFile } from './store.js'

type MediaDeps = Pick<Deps, 'db' | 'clock' | 'files' | 'scratch'>

export interface Uploads {
  /** Checks, cleans and stores a file for an agent. */
  keep(deps: MediaDeps, agentId: string, received: ReceivedFile): Promise<FileRow>
}

/** Processes files one at a time, to limit memory use. Agents take turns, so that one with many files waits by itself. */
export function createUploads({ db, log }: Pick<Deps, 'db' | 'log'>): Uploads {
  const turns = createTurns(1)

  function keepPicture(deps: MediaDeps, agentId: string, received: ReceivedFile): Promise<KeptFile> {
    return withPath(deps, async (picture) => {
      const image = await turns.take(agentId, () => reencodeImage(received.path, picture))
      const thumbnail = await withPath(deps, async (path) => {
        const small = await turns.take(agentId, () => makeThumbnail(picture, path))
        return keepImage(deps, path, small, null)
      })
      const { row, stored } = await keepImage(deps, picture, image, thumbnail.row.name)
      return { row, stored: [...stored, ...thumbnail.stored] }
    })
  }

  async function keepVideo(
    deps: MediaDeps,
    agentId: string,
    { path, mimeType, size, sha256 }: ReceivedFile,
  ): Promise<KeptFile> {
    const facts = await turns.take(agentId, () => probeVideo(path))
    const row: FileRow = { name: fileName(sha256, mimeType), type: 'video', size, ...facts, thumbnail_name: null }
    return { row, stored: [(await keepFile(deps, path, row)) ?? []].flat() }
  }

  return {
    async keep(deps, agentId, received) {
      const keep = received.kind === 'image' ? keepPicture : keepVideo
      const kept = await keep(deps, agentId, received)
      try {
        await deps.db.transaction((db) => addUpload(db, deps, agentId, kept.row.name))
      } catch (error) {
        // Not with the handle of the call, which would record an upload.
        await removeUnused({ ...deps, db }, kept.stored).catch(({ message }: Error) => {
          log.warn({ message }, 'a file that nobody uses was not removed')
        })
        throw error
      }
      return kept.row
    },
  }
}

/** A file, and what had to be stored for it: the file, then its thumbnail. */
interface KeptFile {
  readonly row: FileRow
  readonly stored: readonly StoredFile[]
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
): Promise<KeptFile> {
  const name = fileName(await hashFile(path), mimeType)
  const row: FileRow = { ...facts, name, type: 'image', duration: null, thumbnail_name: thumbnailName }
  return { row, stored: [(await keepFile(deps, path, row)) ?? []].flat() }
}
