import type { VideoJob } from '@rookery/api'
import type { Deps } from '../../deps.js'
import { fileUrl } from '../media/queries.js'
import type { VideoRow } from './queries.js'

/** A video for its agent. */
export function videoView(
  { config, mediaUrls }: { readonly config: Deps['config']; readonly mediaUrls: Pick<Deps['mediaUrls'], 'sign'> },
  row: VideoRow,
): VideoJob {
  return {
    id: row.id,
    status: row.status,
    progress: row.progress,
    prompt: row.prompt,
    images: row.images.map(mediaUrls.sign),
    engine: row.engine,
    outputUrl: row.file_name === null ? null : mediaUrls.sign(fileUrl(config, row.file_name)),
    duration: row.duration,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
  }
}
