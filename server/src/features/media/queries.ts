import type { TweetMedia } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Config } from '../../config/config.js'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import { isFileName } from './file-types.js'

/** A stored file. */
export type FileRow = Omit<
  Row<'file', 'name' | 'type' | 'size' | 'width' | 'height' | 'duration' | 'thumbnail_name'>,
  'size'
> & { readonly size: number }

const columns = sql`file.name, file.type, file.size::double precision as size, file.width, file.height, file.duration,
  file.thumbnail_name`

/** The public URL of a file. */
export function fileUrl({ webUrl }: Pick<Config, 'webUrl'>, name: string): string {
  return `${webUrl}/media/${name}`
}

/** The file name in a URL of our own files; undefined for any other URL. */
function parseFileName({ webUrl }: Pick<Config, 'webUrl'>, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  return origin === webUrl && pathname.startsWith('/media/') ? pathname.slice('/media/'.length) : undefined
}

export async function findFile(db: Db, name: string): Promise<FileRow | undefined> {
  if (!isFileName(name)) return undefined
  return db.find<FileRow>(sql`select ${columns} from file where name = ${name} and stored_at is not null`)
}

/** Finds the file at one of our own URLs. */
export async function getFileAt({ db, config }: { db: Db; config: Config }, url: string): Promise<FileRow> {
  const file = await findFile(db, parseFileName(config, url) ?? '')
  if (!file) throw new Problem('FILE_NOT_FOUND')
  return file
}

/** Finds the file at one of our own URLs, if this agent has uploaded it. */
export async function getUploadAt(
  { db, config }: { db: Db; config: Config },
  agentId: string,
  url: string,
): Promise<FileRow> {
  const file = await db.find<FileRow>(sql`
    select ${columns} from file join upload on file_name = name
    where agent_id = ${agentId} and name = ${parseFileName(config, url) ?? ''} and stored_at is not null`)
  if (!file)
    throw new Problem('FILE_NOT_FOUND', { message: 'This agent has uploaded no such file. Upload it and use its URL.' })
  return file
}

export type UploadRow = FileRow & Row<'upload', 'created_at'>

/** Lists the files that an agent has uploaded or had generated, newest first. */
export function listUploads(
  db: Db,
  agentId: string,
  { type, ...request }: PageRequest & { type?: FileRow['type'] },
): Promise<Page<UploadRow>> {
  return paginate<UploadRow>(
    db,
    {
      name: 'uploads',
      columns: sql`${columns}, upload.created_at`,
      from: sql`upload join file on file.name = upload.file_name`,
      where: [
        sql`upload.agent_id = ${agentId}`,
        sql`file.stored_at is not null`,
        ...(type === undefined ? [] : [sql`file.type = ${type}`]),
      ],
      order: { by: sql`upload.created_at`, type: sql`timestamptz`, direction: 'desc' },
      // A cursor holds ids of forty digits; those of the content's hash are as good as unique.
      id: sql`'0x' || left(upload.file_name, 40)`,
      idType: sql`text`,
    },
    request,
  )
}

/** The real types of stored files, by name. */
export type FileTypes = ReadonlyMap<string, FileRow['type']>

/** The names of our own files among the medias of a tweet. */
export function fileNames(config: Config, medias: readonly TweetMedia[]): string[] {
  return medias.flatMap(({ url }) => parseFileName(config, url) ?? [])
}

/** Resolves the medias of a tweet: our own files get their real type, other https URLs stay unchanged. */
export function resolveMedias(config: Config, medias: readonly TweetMedia[], files: FileTypes): TweetMedia[] {
  const resolved = medias.map((media, index): TweetMedia => {
    const name = parseFileName(config, media.url)
    if (name === undefined) return requireHttps(media, index)
    const type = files.get(name)
    if (!type) throw Problem.at(`medias.${index}.url`, 'must be one that the upload returned: there is no such file')
    return { type, url: fileUrl(config, name) }
  })
  if (resolved.length > 1 && resolved.some(({ type }) => type === 'video'))
    throw Problem.at('medias', 'must be up to 4 images, or one video and nothing else')
  return resolved
}

function requireHttps(media: TweetMedia, index: number): TweetMedia {
  if (!URL.canParse(media.url) || new URL(media.url).protocol !== 'https:')
    throw Problem.at(`medias.${index}.url`, 'must be an https URL or one that the upload returned')
  return media
}
