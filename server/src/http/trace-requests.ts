import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Span, Traces } from '../adapters/traces/traces.js'
import { readTraceParent } from '../base/traceparent.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent while there are no traces. */
    span?: Span | undefined
  }
}

/** Makes a span of every request, below the one that its caller names. It ends with the answer, also of a stream. */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  app.decorateRequest('span')
  app.addHook('onRequest', (request, reply, next) => {
    const { method, headers, id } = request
    // The pattern, never the path itself: paths can carry claim tokens.
    const route = request.routeOptions.url
    const span = traces.begin({
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      parent: readTraceParent(headers.traceparent),
      attributes: { 'http.request.method': method, 'http.route': route, 'rookery.request_id': id },
    })
    request.span = span
    reply.raw.once('close', () => span.end(outcomeOf(request, reply)))
    span.within(next)
  })
  // A body arrives by events of its connection, which belong to no request.
  app.addHook('preValidation', (request, _reply, next) => (request.span ? request.span.within(next) : next()))
}

function outcomeOf({ caller }: FastifyRequest, { statusCode, raw }: FastifyReply): Parameters<Span['end']>[0] {
  // Nobody was left to read the answer.
  const isCutOff = !raw.writableFinished
  return {
    attributes: {
      'http.response.status_code': statusCode,
      'rookery.caller': caller?.kind,
      'rookery.agent_id': caller?.kind === 'agent' ? caller.agent.id : undefined,
    },
    error: statusCode >= 500 ? String(statusCode) : isCutOff ? 'cut_off' : undefined,
  }
}
