import { countCharacters } from '../base/count-characters.js'
import { Problem } from '../base/problem.js'
import { hideSecrets } from './hide-secrets.js'
import { findJsonFault } from './json-fault.js'

const SHOWN_BEFORE = 20
const SHOWN_AFTER = 12
// What can be part of a secret is recognised by what surrounds it, which reaches further than what is shown.
const SURROUNDINGS = 300

/** What a caller is told about a body that is not JSON: where, what is wrong, and a few characters around it. */
export function invalidJson(body: string): Problem {
  // A byte order mark may stand in front of JSON.
  const text = body.startsWith('\ufeff') ? body.slice(1) : body
  const fault = findJsonFault(text)
  if (!fault)
    return new Problem('INVALID_JSON', { message: FORBIDDEN, details: [{ path: 'body', message: FORBIDDEN }] })
  const { line, column } = placeOf(text, fault.at)
  const place = `line ${line}, column ${column}: ${fault.problem}, near ${excerpt(text, fault.at)}`
  return new Problem('INVALID_JSON', {
    message: `The body is not valid JSON at ${place}. Send a JSON object.`,
    details: [{ path: 'body', message: place }],
  })
}

const FORBIDDEN = 'The body has a member that is called __proto__ or constructor. Leave it out.'

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  let line = 1
  for (let end = before.indexOf('\n'); end >= 0; end = before.indexOf('\n', end + 1)) line++
  return { line, column: countCharacters(before.slice(lineStart)) + 1 }
}

function excerpt(text: string, at: number): string {
  const from = Math.max(0, at - SURROUNDINGS)
  const hidden = hideSecrets(text.slice(from, at + SURROUNDINGS))
  const start = Math.max(0, at - from - SHOWN_BEFORE)
  const end = at - from + SHOWN_AFTER
  const shown = hidden
    .slice(start, end)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .toWellFormed()
    .trim()
  if (shown === '') return 'the beginning'
  const isCutBefore = from + start > 0
  const isCutAfter = from + end < text.length
  return `\`${isCutBefore ? '…' : ''}${shown}${isCutAfter ? '…' : ''}\``
}
