import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { type ByteRange, type DirectReads, type Files, FilesUnavailable } from './files.js'
import { presign } from './presign.js'

export interface S3Options {
  readonly bucket: string
  /** Prepended to every name; empty, or ends with a slash. */
  readonly prefix: string
  /** For a service other than Amazon’s. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  /** Without them, credentials are looked up like Amazon’s tools do: files, containers, the machine’s role. */
  /** Where callers read files: `direct` from the service, or through a CDN in front of it. Without it, through us. */
  readonly publicUrl?: string | undefined
  readonly credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined
}

// S3's minimum is 5 MB. Two parts are in memory at a time.
const PART_BYTES = 8 * 1024 * 1024
const PARTS_AT_A_TIME = 2
const ATTEMPTS = 3
const CONNECT_WITHIN_MS = 5_000
const ANSWER_WITHIN_MS = 30_000

/** Files in a bucket of S3 or of a compatible service. */
export async function openS3Files({ bucket, prefix, ...options }: S3Options): Promise<Files> {
  // Imported on demand: the library is large.
  const { S3Client, GetObjectCommand, DeleteObjectCommand, NoSuchKey } = await import('@aws-sdk/client-s3')
  const { Upload } = await import('@aws-sdk/lib-storage')
  const client: S3Client = new S3Client({
    ...(options.region && { region: options.region }),
    ...(options.endpoint && { endpoint: options.endpoint, forcePathStyle: true }),
    ...(options.credentials && { credentials: options.credentials }),
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_WITHIN_MS, requestTimeout: ANSWER_WITHIN_MS },
    // Services other than Amazon's do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const place = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` })

  return {
    async keep(name, path, mimeType) {
      const body = createReadStream(path, { highWaterMark: 1024 * 1024 })
      const upload = new Upload({
        client,
        params: { ...place(name), Body: body, ContentType: mimeType },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_A_TIME,
      })
      await mapUnavailable(upload.done()).finally(() => body.destroy())
    },
    async read(name, range) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ ...place(name), ...rangeOf(range) }))
        if (Body instanceof Readable) return Body
        throw new Error('S3 gave no content')
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw new FilesUnavailable('S3 did not give the file', { cause: error })
      }
    },
    async remove(name) {
      await mapUnavailable(client.send(new DeleteObjectCommand(place(name))))
    },
    direct: options.publicUrl === undefined ? undefined : readDirectly(client, bucket, prefix, options),
    async close() {
      client.destroy()
    },
  }
}

/** The bucket stays private: every URL is signed for one file, also where a CDN passes it on. */
function readDirectly(
  client: S3Client,
  bucket: string,
  prefix: string,
  { publicUrl, endpoint, region }: Pick<S3Options, 'publicUrl' | 'endpoint' | 'region'>,
): DirectReads {
  const { url: place } = client.config.endpointProvider({
    Bucket: bucket,
    Region: region,
    ...(endpoint && { Endpoint: endpoint, ForcePathStyle: true }),
  })
  const origin = publicUrl === undefined || publicUrl === 'direct' ? place.origin : publicUrl
  return {
    origin,
    async link(name, { from, seconds, type, cacheControl }) {
      const credentials = await client.config.credentials().catch((cause: Error) => {
        throw new FilesUnavailable('There are no credentials for S3', { cause })
      })
      const signed = presign(new URL(`${place.href.replace(/\/$/, '')}/${prefix}${name}`), {
        credentials,
        region: region ?? '',
        from,
        seconds,
        query: {
          'response-cache-control': cacheControl,
          'response-content-disposition': 'inline',
          'response-content-type': type,
        },
      })
      return `${origin}${signed.pathname}${signed.search}`
    },
  }
}

function rangeOf(range: ByteRange | undefined): { Range?: string } {
  return range ? { Range: `bytes=${range.start}-${range.end}` } : {}
}

async function mapUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new FilesUnavailable(`S3 did not take it: ${(error as Error).message}`, { cause: error })
  }
}
