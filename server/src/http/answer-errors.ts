import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Endpoint, type ErrorCode, errors } from '@rookery/api'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { areaOf } from '../base/network.js'
import { Problem } from '../base/problem.js'
import { DatabaseAway } from '../foundation/db/away.js'
import type { Refusal, Refusals } from '../foundation/refusals/refusals.js'
import { declaredErrors } from './declared-errors.js'
import { discardRest } from './form.js'
import type { Methods } from './methods.js'
import { sentencesOf } from './unknown-input.js'

// Fastify's own errors, by their code.
const FRAMEWORK: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_JSON',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_INPUT',
  // A part of the path that is longer than any name.
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  FST_FILES_LIMIT: 'PAYLOAD_TOO_LARGE',
  FST_FIELDS_LIMIT: 'PAYLOAD_TOO_LARGE',
  FST_PARTS_LIMIT: 'PAYLOAD_TOO_LARGE',
}

const AWAY = 'The database did not answer. Try again in a moment.'
const MAY_BE_DONE =
  'The database did not answer, so this may have been done or not. Look whether it was before you repeat it.'

/** Logged when an endpoint fails with an error that it does not declare: a mistake of ours, which every test looks for. */
export const UNDECLARED = 'an endpoint does not declare its error'

/** Turns every failure into an answer; no other place does. */
export function answerErrors(
  app: FastifyInstance,
  { webUrl }: { webUrl: string },
  methods?: Methods,
  refusals?: Pick<Refusals, 'add'>,
): void {
  app.setErrorHandler((error, request, reply) => {
    if ((error as FastifyError).code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      // Closing the connection while the client still sends would lose the answer.
      reply.removeHeader('connection')
      discardRest(request)
    }
    return sendProblem(toProblem(error as FastifyError, request), request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    if (methods) return methods.answerUnmatched(request, reply)
    throw new Problem('NOT_FOUND')
  })

  function sendProblem(refusal: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { access } = request.routeOptions.config
    const problem = refusal.code === 'INVALID_INPUT' ? withHints(refusal, request) : refusal
    const status = access?.statuses?.[problem.code] ?? errors[problem.code].status
    if (access && 'errors' in access && !declaredErrors(access as Endpoint).has(problem.code))
      request.log.warn({ code: problem.code, route: `${request.method} ${request.routeOptions.url}` }, UNDECLARED)
    refusals?.add(toRefusal(request, problem, status))
    if (problem.retryAfterSeconds !== undefined) reply.header('Retry-After', problem.retryAfterSeconds)
    return reply
      .code(status)
      .type('application/json; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .serializer((body: unknown) => JSON.stringify(body))
      .send(errorBody(problem, request.id, webUrl, status))
  }
}

function toRefusal(request: FastifyRequest, { code, message }: Problem, status: number): Refusal {
  const { caller, routeOptions } = request
  return {
    requestId: request.id,
    method: request.method,
    route: routeOptions.url ?? 'unknown',
    status,
    code,
    message,
    limitClass: routeOptions.config?.access?.limit ?? null,
    agentId: caller?.kind === 'agent' ? caller.agent.id : null,
    network: areaOf(request.ip) ?? 'unknown',
  }
}

/**
 * Answers what Node could not parse as a request. A line or header that is too long, such as a query of thousands of
 * emoji, is bad input like any other.
 */
export function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { webUrl, requestId }: { webUrl: string; requestId: string },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem = unreadable(error)
  const { status } = errors[problem.code]
  const body = JSON.stringify(errorBody(problem, requestId, webUrl))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

function unreadable({ code }: NodeJS.ErrnoException): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('REQUEST_TIMEOUT')
  const message =
    code === 'HPE_HEADER_OVERFLOW'
      ? 'The address or the headers are too long. Send less.'
      : 'This is not a request that can be read. Send HTTP/1.1.'
  return new Problem('INVALID_INPUT', { message })
}

/** The JSON body of an error. */
function errorBody(problem: Problem, requestId: string, webUrl: string, status: number = errors[problem.code].status) {
  return {
    statusCode: status,
    code: problem.code,
    message: problem.message,
    error: STATUS_CODES[status],
    ...(problem.details && { details: problem.details }),
    requestId,
    docs: `${webUrl}/docs/errors.md#${problem.code.toLowerCase()}`,
  }
}

function toProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) {
    // The caller gets the consequence for the call; the cause is for the operator.
    if (error.cause instanceof Error) request.log.warn({ code: error.code, message: error.cause.message }, 'refused')
    return error
  }
  if (error instanceof DatabaseAway) return outageProblem(error, request)
  if (error.code === 'FST_ERR_BAD_URL')
    return new Problem('INVALID_INPUT', { message: 'The address has a % that does not encode a character of UTF-8.' })
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request)
  const code = FRAMEWORK[error.code]
  if (code) return new Problem(code)
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new Problem('INVALID_INPUT', { message: error.message })
  request.log.error(
    { err: { type: error.name, code: error.code, message: error.message, stack: error.stack } },
    'failed',
  )
  return new Problem('INTERNAL')
}

function tooLarge({ routeOptions: { bodyLimit = 0 } }: FastifyRequest): Problem {
  const most = bodyLimit.toLocaleString('en')
  return new Problem('PAYLOAD_TOO_LARGE', { message: `The body is too large: this call takes at most ${most} bytes.` })
}

/** Adds to a refusal of the input what its caller may have meant by members that the endpoint does not know. */
function withHints(problem: Problem, { unknown = [] }: FastifyRequest): Problem {
  const { details = [] } = problem
  const hints = unknown.filter((hint) => !details.includes(hint))
  if (hints.length === 0) return problem
  return new Problem('INVALID_INPUT', {
    message: [problem.message, ...sentencesOf(hints)].join(' '),
    details: [...details, ...hints],
  })
}

function outageProblem({ message, mayBeDone }: DatabaseAway, request: FastifyRequest): Problem {
  request.log.warn({ message }, 'refused')
  const isUndecided = mayBeDone && request.method !== 'GET'
  // Keep the key taken, so that a repetition cannot apply the write twice.
  if (isUndecided) request.attempt = undefined
  return new Problem('NOT_READY', { message: isUndecided ? MAY_BE_DONE : AWAY, retryAfterSeconds: 1 })
}
