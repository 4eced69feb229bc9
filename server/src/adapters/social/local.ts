import sql, { type Sql } from 'sql-template-tag'
import { localPostUrl, parseHandle, parseLocalPostUrl } from './post-url.js'
import { type SocialNetwork, type SocialPost, TooManyPosts } from './social-network.js'

interface PostRow {
  id: string
  text: string
  handle: string
  name: string
}

/** The database with the posts of the local network. */
export interface LocalPosts {
  find<Row>(query: Sql): Promise<Row | undefined>
  many<Row>(query: Sql): Promise<Row[]>
}

const MAX_FOUND = 100

/** The network of the embedded default, in the server's own database. */
export function createLocalSocialNetwork({ db, webUrl }: { db: LocalPosts; webUrl: string }): SocialNetwork {
  return {
    kind: 'local',

    async getPost(url) {
      const id = parseLocalPostUrl(url, webUrl)
      if (id === null) return { found: false, reason: 'bad_url' }
      const row = await db.find<PostRow>(sql`
        select p.id, p.text, a.handle, a.name
        from local_x_post p join local_x_account a using (handle)
        where p.id = ${id}`)
      return row === undefined ? { found: false, reason: 'not_found' } : { found: true, post: postView(webUrl, row) }
    },

    async findPosts({ terms, handle }) {
      const author = handle === undefined ? undefined : parseHandle(handle)
      if (author === null || terms.length === 0) return []
      const rows = await db.many<PostRow>(sql`
        select p.id, p.text, a.handle, a.name
        from local_x_post p join local_x_account a using (handle)
        where not exists (
            select from unnest(${terms}::text[]) term where position(lower(term) in lower(p.text)) = 0
          )
          and ${author === undefined ? sql`true` : sql`p.handle = ${author.toLowerCase()}`}
        order by p.created_at desc, p.id desc
        limit ${MAX_FOUND + 1}`)
      if (rows.length > MAX_FOUND) throw new TooManyPosts(`There are more than ${MAX_FOUND} posts with these words`)
      return rows.map((row) => postView(webUrl, row))
    },
  }
}

function postView(webUrl: string, { id, text, handle, name }: PostRow): SocialPost {
  return {
    id,
    url: localPostUrl(webUrl, handle, id),
    text,
    author: { id: `handle:${handle}`, handle, name, followersCount: null, followingCount: null },
  }
}
