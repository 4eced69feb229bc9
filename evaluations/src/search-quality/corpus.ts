import { readdir, readFile } from 'node:fs/promises'

/** The languages of the corpus, and the names of their PostgreSQL text search configurations. */
export const parsers = {
  en: 'english',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  pt: 'portuguese',
} as const

export type Language = keyof typeof parsers

export interface CorpusTweet {
  readonly id: string
  readonly topic: string
  readonly lang: Language
  readonly text: string
}

/**
 * How a query was written: `paraphrase` says in other words what one plain tweet says; `several` does so for two or
 * three tweets; `gist` names in a few general words what a figurative or indirect tweet is about.
 */
export type QueryKind = 'paraphrase' | 'several' | 'gist'

export interface CorpusQuery {
  readonly id: string
  readonly kind: QueryKind
  readonly text: string
  readonly lang: Language
  /** The relevant tweets. They share no content word with the query. */
  readonly relevant: readonly string[]
  /** Tweets that share words with the query but mean something else. */
  readonly traps?: readonly string[]
}

/** A rare term and the only tweet that contains it. */
export type ExactQuery = Omit<CorpusQuery, 'kind'>

/** A query that means nothing, so that nothing answers it. */
export interface NonsenseQuery {
  readonly id: string
  readonly text: string
}

export interface Corpus {
  readonly tweets: readonly CorpusTweet[]
  readonly queries: readonly CorpusQuery[]
  readonly exact: readonly ExactQuery[]
  readonly nonsense: readonly NonsenseQuery[]
}

const FOLDER = new URL('../../search-corpus/', import.meta.url)

export async function readCorpus(folder = FOLDER): Promise<Corpus> {
  const files = (await readdir(new URL('tweets/', folder))).filter((name) => name.endsWith('.jsonl')).sort()
  const tweets = await Promise.all(files.map((name) => readLines<CorpusTweet>(new URL(`tweets/${name}`, folder))))
  return {
    tweets: tweets.flat(),
    queries: await readLines<CorpusQuery>(new URL('queries.jsonl', folder)),
    exact: await readLines<ExactQuery>(new URL('exact.jsonl', folder)),
    nonsense: await readLines<NonsenseQuery>(new URL('nonsense.jsonl', folder)),
  }
}

async function readLines<Row>(file: URL): Promise<Row[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Row)
}
