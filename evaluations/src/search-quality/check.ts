import type { Db } from '@rookery/server/database'
import sql from 'sql-template-tag'
import { type Corpus, type CorpusQuery, type CorpusTweet, parsers } from './corpus.js'
import { nearestDuplicates } from './near-duplicates.js'

const LEAST = { tweets: 2_000, topics: 40, queries: 220, traps: 100, exact: 40 }
const WORDS = { fewest: 5, most: 40 }
const MOST_RELEVANT = 3
const MOST_ALIKE = 0.6

/** Returns the faults of the corpus, one sentence each. */
export async function checkCorpus(db: Db, corpus: Corpus): Promise<string[]> {
  return [
    ...checkCounts(corpus),
    ...checkTweets(corpus.tweets),
    ...checkLabels(corpus),
    ...checkExact(corpus),
    ...(await checkWords(db, corpus)),
  ]
}

export function countCorpus({ tweets, queries, exact }: Corpus): Record<keyof typeof LEAST, number> {
  return {
    tweets: tweets.length,
    topics: new Set(tweets.map(({ topic }) => topic)).size,
    queries: queries.length,
    traps: new Set(queries.flatMap(({ traps = [] }) => traps)).size,
    exact: exact.length,
  }
}

function checkCounts(corpus: Corpus): string[] {
  return Object.entries(countCorpus(corpus)).flatMap(([what, count]) => {
    const least = LEAST[what as keyof typeof LEAST]
    return count < least ? [`There are ${count} ${what}, fewer than ${least}.`] : []
  })
}

function checkTweets(tweets: readonly CorpusTweet[]): string[] {
  const lengths = tweets.flatMap(({ id, text }) => {
    const words = text.split(/\s+/).length
    return words < WORDS.fewest || words > WORDS.most ? [`${id} has ${words} words.`] : []
  })
  const alike = nearestDuplicates(tweets.map(({ text }) => text)).flatMap(({ one, other, likeness }) =>
    likeness >= MOST_ALIKE ? [`${tweets[one]?.id} and ${tweets[other]?.id} are nearly the same.`] : [],
  )
  return [...repeated(tweets.map(({ id }) => id)).map((id) => `${id} is there twice.`), ...lengths, ...alike]
}

function checkLabels({ tweets, queries, exact }: Corpus): string[] {
  const ids = new Set(tweets.map(({ id }) => id))
  const twice = repeated([...queries, ...exact].map(({ id }) => id)).map((id) => `${id} is there twice.`)
  const wrong = [...queries, ...exact].flatMap(({ id, relevant, traps = [] }) => {
    const unknown = [...relevant, ...traps].filter((tweet) => !ids.has(tweet))
    return [
      ...unknown.map((tweet) => `${id} names ${tweet}, which is not there.`),
      ...(relevant.length < 1 || relevant.length > MOST_RELEVANT ? [`${id} has ${relevant.length} answers.`] : []),
      ...traps.filter((tweet) => relevant.includes(tweet)).map((tweet) => `${id} has ${tweet} as answer and trap.`),
    ]
  })
  return [...twice, ...wrong]
}

function checkExact({ tweets, exact }: Corpus): string[] {
  return exact.flatMap(({ id, text, relevant }) => {
    const found = tweets.filter((tweet) => tweet.text.toLowerCase().includes(text.toLowerCase()))
    return found.length === 1 && found[0]?.id === relevant[0] ? [] : [`${text} (${id}) is in ${found.length} tweets.`]
  })
}

/** Reports answers that share words with their query, and traps that share none. */
async function checkWords(db: Db, { tweets, queries }: Corpus): Promise<string[]> {
  const byId = new Map(tweets.map((tweet) => [tweet.id, tweet]))
  const pairs = (ids: (query: CorpusQuery) => readonly string[]) =>
    queries.flatMap((query) =>
      ids(query)
        .flatMap((id) => byId.get(id) ?? [])
        .map((tweet) => ({ query, tweet })),
    )
  const answers = await sharedWords(
    db,
    pairs(({ relevant }) => relevant),
  )
  const traps = await sharedWords(
    db,
    pairs(({ traps = [] }) => traps),
  )
  return [
    ...answers
      .filter(({ words }) => words.length > 0)
      .map(({ query, tweet, words }) => `${query.id} and its answer ${tweet.id} share: ${words.join(', ')}.`),
    ...traps
      .filter(({ words }) => words.length === 0)
      .map(({ query, tweet }) => `${query.id} and its trap ${tweet.id} share no word.`),
  ]
}

interface Pair {
  readonly query: CorpusQuery
  readonly tweet: CorpusTweet
}

/**
 * The shared content words, after stemming as English, as the languages of both texts, and without stemming. A stop word
 * in the language of either text does not count.
 */
async function sharedWords(db: Db, pairs: readonly Pair[]): Promise<(Pair & { words: string[] })[]> {
  const rows = await db.many<{ pair: number; words: string[] }>(sql`
    select pair::int, array(
      select distinct word from unnest(array['simple', 'english', query_parser, tweet_parser]) as parser,
        unnest(tsvector_to_array(to_tsvector(parser::regconfig, query_text))) as word
      where word = any(tsvector_to_array(to_tsvector(parser::regconfig, tweet_text))) and (
        (parser = query_parser and parser = tweet_parser) or (
          to_tsvector(query_parser::regconfig, word) <> '' and to_tsvector(tweet_parser::regconfig, word) <> ''))
    ) as words
    from unnest(
      ${pairs.map(({ query }) => query.text)}::text[], ${pairs.map(({ tweet }) => tweet.text)}::text[],
      ${pairs.map(({ query }) => parsers[query.lang])}::text[], ${pairs.map(({ tweet }) => parsers[tweet.lang])}::text[]
    ) with ordinality as given (query_text, tweet_text, query_parser, tweet_parser, pair)`)
  const words = new Map(rows.map(({ pair, words }) => [pair - 1, words]))
  return pairs.map((pair, index) => ({ ...pair, words: words.get(index) ?? [] }))
}

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]
}
