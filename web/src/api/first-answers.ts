/** What a query begins with: an answer that came with the page and the time it is from, or nothing. */
export interface FirstAnswer<Answer> {
  readonly initialData?: Answer
  readonly initialDataUpdatedAt?: number
}

const openedAt = Date.now()
let answers: Readonly<Record<string, unknown>> | undefined

/**
 * An answer that came with the page, by the address it would be asked for at. The server writes there what anyone would
 * be told, so that the first screen is drawn without asking.
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
