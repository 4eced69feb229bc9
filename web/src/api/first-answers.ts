/** The initial data of a query: an answer embedded in the page and its time, or nothing. */
export interface FirstAnswer<Answer> {
  readonly initialData?: Answer
  readonly initialDataUpdatedAt?: number
}

const openedAt = Date.now()
let answers: Readonly<Record<string, unknown>> | undefined

/**
 * Finds an answer embedded in the page, by its API address. The server embeds the public answers, so that the first screen
 * is drawn without a request.
 */
export function firstAnswer<Answer>(url: string): FirstAnswer<Answer> {
  answers ??= read()
  const answer = answers[url]
  return answer === undefined ? {} : { initialData: answer as Answer, initialDataUpdatedAt: openedAt }
}

function read(): Readonly<Record<string, unknown>> {
  const text = document.getElementById('first-answers')?.textContent
  return text ? (JSON.parse(text) as Record<string, unknown>) : {}
}
