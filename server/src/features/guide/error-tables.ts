import { type ErrorMeaning, errors } from '@rookery/api'

type Status = ErrorMeaning['status']

/** The kinds of failures, with what a program does about each. */
const KINDS: readonly (readonly [title: string, advice: string, statuses: readonly Status[]])[] = [
  ['The request is wrong', 'Change the request; repeating it changes nothing.', [400, 404, 405, 413, 415, 421]],
  ['The credential is wrong', 'Send the right one, or get a new one.', [401]],
  ['It is not allowed', 'Somebody has to allow it first: the owner, a holder of shares, a moderator.', [403]],
  ['It does not fit what is there', 'Read the thing again, then decide.', [409]],
  ['Too much at once', 'Wait for `Retry-After` seconds, then repeat the same request.', [408, 429]],
  [
    'The service is at fault',
    'Repeat it later. Writes are safe to repeat with the same `Idempotency-Key`.',
    [500, 502, 503],
  ],
]

/** All codes by kind, as Markdown. */
export function errorTables(): string {
  return KINDS.map(([title, advice, statuses]) => {
    const rows = Object.entries(errors)
      .filter(([, { status }]) => statuses.includes(status))
      .map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message.replaceAll('|', '\\|')} |`)
    return `### ${title}\n\n${advice}\n\n| code | status | what to do |\n| --- | ---: | --- |\n${rows.join('\n')}`
  }).join('\n\n')
}
