import sql from 'sql-template-tag'
import type { LoadedService } from './load.js'

/** A way to search: gives the corpus's names of the tweets it finds, the best first. */
export interface Way {
  readonly name: string
  search(query: string): Promise<string[]>
}

const DEPTH = 100

/** Full text alone, meaning alone, and the service's own search that has both. */
export async function createWays({ deps, client, names }: LoadedService): Promise<Way[]> {
  const { db, embedders } = deps
  const named = (ids: readonly string[]) => ids.flatMap((id) => names.get(id) ?? [])
  const vectors = await readVectors({ deps })

  async function fullText(textQuery: string): Promise<string[]> {
    const rows = await db.many<{ id: string }>(sql`
      select id from tweet, (select ${textQuery}::tsquery as query) wanted
      where to_tsvector('english', content) @@ query
      order by ts_rank_cd(to_tsvector('english', content), query) desc, id limit ${DEPTH}`)
    return named(rows.map(({ id }) => id))
  }

  async function parse(query: string): Promise<{ every: string; any: string }> {
    return db.one(sql`
      select websearch_to_tsquery('english', ${query})::text as every,
        replace(plainto_tsquery('english', ${query})::text, ' & ', ' | ') as any`)
  }

  return [
    { name: 'full text, all words', search: async (query) => fullText((await parse(query)).every) },
    { name: 'full text, any word', search: async (query) => fullText((await parse(query)).any) },
    {
      name: 'meaning, exact',
      async search(query) {
        const [vector] = await embedders.configured.embed([query], 'query')
        if (!vector) throw new Error('The query was not embedded')
        const near = vectors.map(({ id, values }) => ({ id, likeness: dot(values, vector) }))
        near.sort((a, b) => b.likeness - a.likeness)
        return named(near.slice(0, DEPTH).map(({ id }) => id))
      },
    },
    {
      name: 'GET /v1/tweets/search',
      async search(query) {
        const { data } = await client.searchTweets({ q: query, limit: DEPTH })
        return named(data.map(({ id }) => id))
      },
    },
  ]
}

async function readVectors({ deps }: Pick<LoadedService, 'deps'>): Promise<{ id: string; values: number[] }[]> {
  const rows = await deps.db.many<{ id: string; vector: string }>(
    sql`select tweet_id as id, vector::text as vector from tweet_embedding`,
  )
  return rows.map(({ id, vector }) => ({ id, values: JSON.parse(vector) as number[] }))
}

function dot(one: readonly number[], other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
}
