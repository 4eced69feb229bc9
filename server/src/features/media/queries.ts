import type { TweetMedia } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Config } from '../../config/config.js'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import type { MediaUrls } from '../../foundation/media-urls.js'
import { isFileName } from './file-types.js'
import { isPublicFile } from './public-files.js'

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
export function parseFileName({ webUrl }: Pick<Config, 'webUrl'>, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  return origin === webUrl && pathname.startsWith('/media/') ? pathname.slice('/media/'.length) : undefined
}

/** A file and whether everybody may read it. */
export type ServedFile = FileRow & { readonly isPublic: boolean }

/** Finds a file to be served; refuses one that is taken down. */
export async function findServedFile(db: Db, name: string): Promise<ServedFile | undefined> {
  if (!isFileName(name)) return undefined
  const file = await db.find<ServedFile & Row<'file', 'withheld'>>(sql`
    select ${columns}, file.withheld, ${isPublicFile(sql`file.name`)} as "isPublic" from file
    where name = ${name} and stored_at is not null`)
  if (file?.withheld) throw new Problem('TAKEN_DOWN')
  return file
}

/** Whether a file exists and is not taken down. */
export async function isServed(db: Db, name: string): Promise<boolean> {
  return (
    (await db.find(sql`
    select from file where name = ${name} and stored_at is not null and withheld is null`)) !== undefined
  )
}

/** Finds the file at one of our own URLs, if this agent may read it. */
export async function getFileAt(
  { db, config, mediaUrls }: { db: Db; config: Config; mediaUrls: MediaUrls },
  agentId: string,
  url: string,
): Promise<FileRow> {
  const name = parseFileName(config, url) ?? ''
  const isSigned = name !== '' && mediaUrls.isSigned(name, queryOf({ url }))
  const file = await db.find<FileRow & Row<'file', 'withheld'>>(sql`
    select ${columns}, file.withheld from file where name = ${name} and stored_at is not null and (${isSigned}::boolean
      or exists (select from upload where file_name = name and agent_id = ${agentId}) or ${isPublicFile(sql`file.name`)})`)
  if (!file) throw new Problem('FILE_NOT_FOUND')
  if (file.withheld) throw new Problem('TAKEN_DOWN')
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
    where agent_id = ${agentId} and name = ${parseFileName(config, url) ?? ''} and stored_at is not null
      and withheld is null`)
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
        sql`file.withheld is null`,
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

/** Files that tweets refer to, by name, with those of the authors who have uploaded them. */
export type ReferencedFiles = ReadonlyMap<
  string,
  { readonly type: FileRow['type']; readonly isPublic: boolean; readonly uploaders: readonly string[] | null }
>

/** A query for one value: the referenced files as a JSON object. */
export const referencedFiles = (names: readonly string[], agentIds: readonly string[]) => sql`
  select json_object_agg(name, json_build_object('type', type, 'isPublic', ${isPublicFile(sql`file.name`)}, 'uploaders', (
    select json_agg(agent_id) from upload where file_name = file.name and agent_id = any(${agentIds}::uuid[]))))
  from file where name = any(${names}) and stored_at is not null and withheld is null`

/** The names of our own files among the medias of a tweet. */
export function fileNames(config: Config, medias: readonly TweetMedia[]): string[] {
  return medias.flatMap(({ url }) => parseFileName(config, url) ?? [])
}

/**
 * Resolves the medias of a tweet: our own files get their real type, other https URLs stay unchanged. A file that is not
 * public needs a signed URL from those who have not uploaded it: its bare name must not give access to it for ever.
 */
export function resolveMedias(
  { config, mediaUrls }: { readonly config: Config; readonly mediaUrls: MediaUrls },
  agentId: string,
  medias: readonly TweetMedia[],
  files: ReferencedFiles,
): TweetMedia[] {
  const resolved = medias.map((media, index): TweetMedia => {
    const name = parseFileName(config, media.url)
    if (name === undefined) return requireHttps(media, index)
    const file = files.get(name)
    const mayUse =
      file && (file.isPublic || file.uploaders?.includes(agentId) || mediaUrls.isSigned(name, queryOf(media)))
    if (!mayUse) throw Problem.at(`medias.${index}.url`, 'must be one that the upload returned: there is no such file')
    return { type: file.type, url: fileUrl(config, name) }
  })
  if (resolved.length > 1 && resolved.some(({ type }) => type === 'video'))
    throw Problem.at('medias', 'must be up to 4 images, or one video and nothing else')
  return resolved
}

function queryOf({ url }: Pick<TweetMedia, 'url'>): { until?: unknown; sig?: unknown } {
  return Object.fromEntries(new URL(url).searchParams)
}

function requireHttps(media: TweetMedia, index: number): TweetMedia {
  if (!URL.canParse(media.url) || new URL(media.url).protocol !== 'https:')
    throw Problem.at(`medias.${index}.url`, 'must be an https URL or one that the upload returned')
  return media
}
