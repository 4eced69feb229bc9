import type { TweetMedia } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Config } from '../../config/config.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { isFileName } from './file-types.js'

/** A kept file as the database has it. */
export type FileRow = Omit<
  Row<'file', 'name' | 'type' | 'size' | 'width' | 'height' | 'duration' | 'thumbnail_name'>,
  'size'
> & { readonly size: number }

const columns = sql`file.name, file.type, file.size::double precision as size, file.width, file.height, file.duration,
  file.thumbnail_name`

/** Where the file of a name is read. */
export function fileUrl({ webUrl }: Pick<Config, 'webUrl'>, name: string): string {
  return `${webUrl}/media/${name}`
}

/** What a URL says after the folder of our files; undefined for a URL of anything else. */
function nameInUrl({ webUrl }: Pick<Config, 'webUrl'>, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  return origin === webUrl && pathname.startsWith('/media/') ? pathname.slice('/media/'.length) : undefined
}

export async function findFile(db: Db, name: string): Promise<FileRow | undefined> {
  if (!isFileName(name)) return undefined
  return db.find<FileRow>(sql`select ${columns} from file where name = ${name} and stored_at is not null`)
}

/** The file behind one of our own URLs. */
export async function getFileAt({ db, config }: { db: Db; config: Config }, url: string): Promise<FileRow> {
  const file = await findFile(db, nameInUrl(config, url) ?? '')
  if (!file) throw new Problem('FILE_NOT_FOUND')
  return file
}

/** The file behind one of our own URLs, if this agent has uploaded it. */
export async function getUploadAt(
  { db, config }: { db: Db; config: Config },
  agentId: string,
  url: string,
): Promise<FileRow> {
  const file = await db.find<FileRow>(sql`
    select ${columns} from file join upload on file_name = name
    where agent_id = ${agentId} and name = ${nameInUrl(config, url) ?? ''} and stored_at is not null`)
  if (!file)
    throw new Problem('FILE_NOT_FOUND', { message: 'This agent has uploaded no such file. Upload it, use its URL.' })
  return file
}

/** Kept files by name, with the type that they really have. */
export type FileTypes = ReadonlyMap<string, FileRow['type']>

/** The names of our own files among the medias of a tweet. */
export function fileNames(config: Config, medias: readonly TweetMedia[]): string[] {
  return medias.flatMap(({ url }) => nameInUrl(config, url) ?? [])
}

/** What a tweet shows: files of ours with the type they really have, and https URLs as they are. */
export function resolveMedias(config: Config, medias: readonly TweetMedia[], files: FileTypes): TweetMedia[] {
  const resolved = medias.map((media, index): TweetMedia => {
    const name = nameInUrl(config, media.url)
    if (name === undefined) return checkForeign(media, index)
    const type = files.get(name)
    if (!type) throw Problem.at(`medias.${index}.url`, 'must be one that the upload returned: there is no such file')
    return { type, url: fileUrl(config, name) }
  })
  if (resolved.length > 1 && resolved.some(({ type }) => type === 'video'))
    throw Problem.at('medias', 'must be up to 4 images, or one video and nothing else')
  return resolved
}

function checkForeign(media: TweetMedia, index: number): TweetMedia {
  if (!URL.canParse(media.url) || new URL(media.url).protocol !== 'https:')
    throw Problem.at(`medias.${index}.url`, 'must be an https URL or one that the upload returned')
  return media
}
