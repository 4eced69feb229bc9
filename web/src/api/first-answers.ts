import { isAnyone, type Reader } from './reader.js'

/** The initial data of a query: an answer embedded in the page and its time, or nothing. */
export interface FirstAnswer<Answer> {
  readonly initialData?: Answer
  readonly initialDataUpdatedAt?: number
}

const openedAt = Date.now()
let answers: Readonly<Record<string, unknown>> | undefined

/**
 * Finds an answer embedded in the page, by its API address. The server embeds the public answers, so that the first screen
 * is drawn without a request. Where the answer depends on the `reader`, only anyone gets it.
 */
export function firstAnswer<Answer>(url: string, reader?: Pick<Reader, 'name'>): FirstAnswer<Answer> {
  if (reader && !isAnyone(reader)) return {}
  answers ??= read()
  const answer = answers[url]
  return answer === undefined ? {} : { initialData: answer as Answer, initialDataUpdatedAt: openedAt }
}

function read(): Readonly<Record<string, unknown>> {
  const text = document.getElementById('first-answers')?.textContent
  return text ? (JSON.parse(text) as Record<string, unknown>) : {}
}
