import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Nullable, Row } from '../../foundation/db/row.js'

/** A stored video job, with the duration of its result. */
export type VideoRow = Row<'video'> & Nullable<Row<'file', 'duration'>>

const columns = sql`video.id, video.agent_id, video.prompt, video.images, video.engine, video.status, video.progress,
  video.provider_id, video.file_name, file.duration, video.error, video.created_at, video.completed_at`
const from = sql`video left join file on file.name = video.file_name`

export function findVideo(db: Db, id: string): Promise<VideoRow | undefined> {
  return db.find<VideoRow>(sql`select ${columns} from ${from} where video.id = ${id}`)
}

/** Finds a video job of this agent. Jobs of other agents are not found. */
export async function getVideo(db: Db, agentId: string, id: string): Promise<VideoRow> {
  const row = await findVideo(db, id)
  if (row?.agent_id !== agentId) throw new Problem('VIDEO_NOT_FOUND')
  return row
}

/** Lists the video jobs of an agent, newest first. */
export function listVideos(
  db: Db,
  agentId: string,
  { status, ...request }: PageRequest & { status?: VideoRow['status'] },
): Promise<Page<VideoRow>> {
  const where = [sql`video.agent_id = ${agentId}`, ...(status === undefined ? [] : [sql`video.status = ${status}`])]
  const order = { by: sql`video.id`, type: sql`uuid`, direction: 'desc' as const }
  return paginate<VideoRow>(db, { name: 'videos', columns, from, where, order, id: sql`video.id` }, request)
}

/** Counts the videos that are in progress or waiting. */
export async function countProcessing(db: Db): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from video where status = 'processing'`,
  )
  return count
}
