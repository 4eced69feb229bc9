import type { UploadedFile } from '@rookery/api'
import type { Deps } from '../../deps.js'
import { type FileRow, fileUrl } from './queries.js'

/** A file for the agent that has uploaded it. */
export function uploadedFileView(
  { config, mediaUrls }: Pick<Deps, 'config' | 'mediaUrls'>,
  row: FileRow,
): UploadedFile {
  const urlOf = (name: string) => mediaUrls.sign(fileUrl(config, name))
  return {
    url: urlOf(row.name),
    type: row.type,
    size: row.size,
    ...(row.width !== null && { width: row.width }),
    ...(row.height !== null && { height: row.height }),
    ...(row.duration !== null && { duration: row.duration }),
    ...(row.thumbnail_name !== null && { thumbnailUrl: urlOf(row.thumbnail_name) }),
  }
}
