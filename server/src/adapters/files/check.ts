import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Config, ConfigError } from '../../config/config.js'
import type { Files } from './files.js'
import { openFiles } from './open.js'

const CONTENT = 'Written, read and removed by Rookery to see whether it can.'

/** Writes, reads and removes a file in the bucket of FILES; throws a sentence for the operator when it cannot. */
export async function checkFiles(config: Config): Promise<void> {
  // The folder of uploads is checked with the rest of DATA_DIR.
  if (config.FILES === 'disk') return
  const scratch = await mkdtemp(join(tmpdir(), 'rookery-check-'))
  const files = await openFiles(config)
  try {
    await tryFiles(files, join(scratch, 'content'))
  } catch (error) {
    throw new ConfigError(`FILES: the bucket ${config.FILES.bucket} cannot be used: ${explain(error)}`)
  } finally {
    await files.close()
    await rm(scratch, { recursive: true, force: true })
  }
}

async function tryFiles(files: Files, path: string): Promise<void> {
  const name = `check-${randomUUID()}.txt`
  await writeFile(path, CONTENT)
  await at('written', () => files.keep(name, path, 'text/plain'))
  try {
    const content = await at('read', () => files.read(name))
    if (!content || (await at('read', () => text(content))) !== CONTENT)
      throw new Refusal('a file that was written could not be read back.')
  } finally {
    await at('removed', () => files.remove(name))
  }
}

class Refusal extends Error {}

async function at<T>(what: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: Error) => {
    throw new Refusal(`a file could not be ${what} (${reasonOf(error)}). ${remedyOf(error)}`)
  })
}

function explain(error: unknown): string {
  return error instanceof Refusal ? error.message : `${(error as Error).message}.`
}

/** What the service answered: the names of its errors say more than their messages. */
function reasonOf({ cause, message }: Error): string {
  if (!(cause instanceof Error)) return message
  const code = (cause as NodeJS.ErrnoException).code
  if (cause.name !== 'Error' && cause.name !== 'AggregateError') return cause.name
  return code ?? cause.message
}

function remedyOf(error: Error): string {
  const reason = reasonOf(error)
  if (reason === 'NoSuchBucket') return 'Create the bucket, or correct FILES.'
  if (/^E[A-Z]+$|Timeout/.test(reason)) return 'Check S3_ENDPOINT and the network.'
  if (/Credentials|InvalidAccessKeyId|SignatureDoesNotMatch/.test(reason))
    return 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of the machine.'
  return 'The key needs s3:PutObject, s3:GetObject and s3:DeleteObject on it (docs/media.md).'
}
