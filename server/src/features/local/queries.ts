import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'

export type LocalPostRow = Row<'local_x_post', 'id' | 'handle' | 'text' | 'created_at'> & Row<'local_x_account', 'name'>

const columns = sql`post.id, post.handle, account.name, post.text, post.created_at`
const from = sql`local_x_post post join local_x_account account on account.handle = post.handle`

export async function getLocalPost(db: Db, id: string): Promise<LocalPostRow> {
  const row = await db.find<LocalPostRow>(sql`select ${columns} from ${from} where post.id = ${id}`)
  if (!row) throw new Problem('NOT_FOUND')
  return row
}

/** Posts of all accounts or of one, newest first. */
export function listLocalPosts(db: Db, request: PageRequest & { handle?: string }): Promise<Page<LocalPostRow>> {
  const handle = request.handle?.replace(/^@/, '').toLowerCase()
  const list = {
    name: 'local-posts',
    columns,
    from,
    where: handle === undefined ? [] : [sql`post.handle = ${handle}`],
    order: { by: sql`post.created_at`, type: sql`timestamptz`, direction: 'desc' as const },
    id: sql`post.id`,
  }
  return paginate<LocalPostRow>(db, list, request)
}

/** The newest accounts, for choosing one. */
export function listLocalAccounts(db: Db): Promise<Row<'local_x_account', 'handle' | 'name'>[]> {
  return db.many(sql`select handle, name from local_x_account order by created_at desc, handle limit 20`)
}
