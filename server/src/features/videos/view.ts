import type { VideoJob } from '@rookery/api'
import type { Config } from '../../config/config.js'
import { fileUrl } from '../media/queries.js'
import type { VideoRow } from './queries.js'

export function videoView(config: Config, row: VideoRow): VideoJob {
  return {
    id: row.id,
    status: row.status,
    progress: row.progress,
    prompt: row.prompt,
    images: row.images,
    engine: row.engine,
    outputUrl: row.file_name === null ? null : fileUrl(config, row.file_name),
    duration: row.duration,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
  }
}
