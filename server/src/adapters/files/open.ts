import { join } from 'node:path'
import type { Config } from '../../config/config.js'
import { traced } from '../traces/traced.js'
import type { Traces } from '../traces/traces.js'
import { createDiskFiles } from './disk.js'
import type { Files } from './files.js'
import { openS3Files } from './s3.js'

export async function openFiles(config: Config, traces?: Traces): Promise<Files> {
  return traced(await openStore(config), traces, {
    keep: () => ({ name: 'files keep' }),
    read: () => ({ name: 'files read' }),
    remove: () => ({ name: 'files remove' }),
  })
}

async function openStore(config: Config): Promise<Files> {
  const { FILES, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = config
  if (FILES === 'disk') return createDiskFiles(join(config.DATA_DIR, 'files'))
  const credentials = AWS_ACCESS_KEY_ID &&
    AWS_SECRET_ACCESS_KEY && {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    }
  return openS3Files({
    ...FILES,
    endpoint: config.S3_ENDPOINT,
    region: config.AWS_REGION,
    publicUrl: config.FILES_URL,
    credentials: credentials || undefined,
  })
}
