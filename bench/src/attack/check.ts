import type { WireAnswer } from './connection.js'
import type { Document } from './document.js'
import type { AttackRequest } from './requests.js'

// What an error must never tell: where the code lies, what it is made of, what it asked the database.
const INTERNALS: readonly RegExp[] = [
  /\bat (?:async )?[\w.<>$ ]+ \((?:file:|node:|\/)/,
  /node_modules|node:internal/,
  /\/(?:home|root|tmp|usr|var|work|app|src|dist)\//,
  /\.(?:ts|js|mjs):\d+/,
  /\b(?:syntax error at|relation "|column "|violates \w+|duplicate key|invalid input syntax|invalid byte sequence)/i,
  /\b(?:insert into|delete from|order by) /i,
  /\b(?:PGlite|fastify|ajv|pino|undici|viem|typebox|busboy|find-my-way|libvips|sharp|ffmpeg|hardhat)\b/i,
  /\b(?:FST_|ERR_|ECONN|ENOENT|EACCES|HPE_)\w*/,
  /\b(?:TypeError|RangeError|ReferenceError|SyntaxError|URIError|AssertionError)\b/,
  /Cannot read propert|is not a function|is not iterable|Maximum call stack|is not defined|in JSON at position/,
]
// Answers other than errors may quote what agents wrote, so only what nobody writes counts.
const STACK = /\n\s+at (?:async )?\S+ \((?:file:|node:|\/)/

/** What is wrong with an answer. */
export function checkAnswer(document: Document, request: AttackRequest, answer: WireAnswer): string[] {
  const { status, headers, body, isStream } = answer
  if (isStream) return status === 101 || status === 200 ? [] : [`a stream with the status ${status}`]
  const wrong: string[] = []
  const { operation, isAddressed, method } = request
  const documented = isAddressed ? operation.answer(status) : undefined
  const isDeclared = operation.statuses.includes(status)
  // Also those that are declared: everything that the service depends on is up.
  if (status >= 500) wrong.push(`the status ${status}`)
  // What Node cannot read as a request is refused before it has an operation.
  // A name may be that of another path, which has other methods: /v1/tweets/search.
  const isOtherPath = status === 405 && operation.path.includes('{')
  if (isAddressed && !isDeclared && !isOtherPath && status !== 400 && status < 500)
    wrong.push(`the undocumented status ${status}`)
  const text = body.toString('utf8')
  if (headers.has('server') || headers.has('x-powered-by')) wrong.push('a header that names the software')
  if (status >= 400 && method !== 'HEAD') wrong.push(...checkError(document, answer, text))
  else if (STACK.test(text)) wrong.push('a stack trace')
  if (!documented || method === 'HEAD') return wrong
  const type = headers.get('content-type') ?? ''
  if (!type.startsWith(documented.type)) wrong.push(`the content type ${type} instead of ${documented.type}`)
  else if (documented.type === 'application/json') {
    const problem = checkJson(text, documented.check)
    if (problem !== undefined) wrong.push(problem)
  }
  return wrong
}

function checkError({ checkError }: Document, { status, headers }: WireAnswer, text: string): string[] {
  const wrong = INTERNALS.filter((pattern) => pattern.test(text)).map(
    (pattern) => `an error with internals (${pattern.source})`,
  )
  const type = headers.get('content-type') ?? ''
  // A browser that asks for an address that leads nowhere gets a screen.
  if (status === 404 && type.startsWith('text/html')) return wrong
  if (!type.startsWith('application/json')) return [...wrong, `an error of the type ${type || '(none)'}`]
  const problem = checkJson(text, (body) => {
    const { statusCode, requestId } = body as { statusCode?: number; requestId?: string }
    if (statusCode !== status) return `an error that says ${statusCode} with the status ${status}`
    // A replayed answer names the request that it was made for.
    if (!headers.has('idempotent-replayed') && requestId !== headers.get('x-request-id'))
      return 'an error with another requestId than its header'
    return checkError(body)
  })
  return problem === undefined ? wrong : [...wrong, problem]
}

function checkJson(text: string, check: (body: unknown) => string | undefined): string | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return 'a body that is no JSON'
  }
  const problem = check(body)
  return problem === undefined ? undefined : `a body that does not match: ${problem}`
}
