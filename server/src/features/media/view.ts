import type { UploadedFile } from '@rookery/api'
import type { Config } from '../../config/config.js'
import { type FileRow, fileUrl } from './queries.js'

export function uploadedFileView(config: Config, row: FileRow): UploadedFile {
  return {
    url: fileUrl(config, row.name),
    type: row.type,
    size: row.size,
    ...(row.width !== null && { width: row.width }),
    ...(row.height !== null && { height: row.height }),
    ...(row.duration !== null && { duration: row.duration }),
    ...(row.thumbnail_name !== null && { thumbnailUrl: fileUrl(config, row.thumbnail_name) }),
  }
}
