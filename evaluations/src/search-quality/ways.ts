import type { ProgressBar } from '@rookery/tooling/progress-bar'
import sql, { type Sql } from 'sql-template-tag'
import type { LoadedService } from './load.js'

/** A way to search. */
export interface Way {
  readonly name: string
  /** Returns the corpus names of the found tweets for each query, best first. */
  search(queries: readonly string[]): Promise<string[][]>
}

const DEPTH = 100
const BATCH = 32

/** Full text alone, meaning alone, and the service's own search, which combines both. */
export function createWays(service: LoadedService, bar: ProgressBar): Way[] {
  const { db } = service.deps
  const named = (ids: readonly string[]) => ids.flatMap((id) => service.names.get(id) ?? [])

  function fullText(name: string, wanted: Sql): Way {
    return {
      name,
      async search(queries) {
        const rows = await db.many<{ ids: string[] }>(sql`
          with texts as materialized (select id, to_tsvector('english', content) as words from tweet)
          select array(
            select texts.id from texts where texts.words @@ wanted.query
            order by ts_rank_cd(texts.words, wanted.query) desc, texts.id limit ${DEPTH})::text[] as ids
          from (
            select place, ${wanted} as query from unnest(${queries}::text[]) with ordinality as given (text, place)
          ) wanted order by wanted.place`)
        return rows.map(({ ids }) => named(ids))
      },
    }
  }

  return [
    fullText('full text, all words', sql`websearch_to_tsquery('english', text)`),
    fullText('full text, any word', sql`replace(plainto_tsquery('english', text)::text, ' & ', ' | ')::tsquery`),
    { name: 'meaning, exact', search: async (queries) => (await searchByMeaning(service, queries)).map(named) },
    {
      name: 'GET /v1/tweets/search',
      async search(queries) {
        const found: string[][] = []
        for (const q of queries) {
          const { data } = await service.client.searchTweets({ q, limit: DEPTH })
          found.push(named(data.map(({ id }) => id)))
          bar.update('searching', found.length, queries.length)
        }
        bar.finish('searching', `${queries.length} queries through the API`)
        return found
      },
    },
  ]
}

/** Finds the nearest tweets by comparing each query with every stored vector. */
async function searchByMeaning({ deps }: LoadedService, queries: readonly string[]): Promise<string[][]> {
  const rows = await deps.db.many<{ id: string; vector: string }>(
    sql`select tweet_id as id, vector::text as vector from tweet_embedding`,
  )
  const tweets = rows.map(({ id, vector }) => ({ id, vector: Float32Array.from(JSON.parse(vector) as number[]) }))
  const found: string[][] = []
  for (let start = 0; start < queries.length; start += BATCH) {
    const vectors = await deps.embedders.configured.embed(queries.slice(start, start + BATCH), 'query')
    for (const query of vectors) {
      const near = tweets.map(({ id, vector }) => ({ id, likeness: dot(vector, query) }))
      near.sort((a, b) => b.likeness - a.likeness)
      found.push(near.slice(0, DEPTH).map(({ id }) => id))
    }
  }
  return found
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}
