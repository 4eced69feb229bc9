import {
  type ChannelName,
  calledEndpoints,
  type Endpoint,
  type EndpointName,
  endpoints,
  isChannel,
  PendingApproval,
} from '@rookery/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../base/network.js'
import { type Detail, Problem } from '../base/problem.js'
import type { Channels, Handlers } from '../call.js'
import type { Deps } from '../deps.js'
import { Waiting } from '../features/control/governed.js'
import { refuseSecrets } from '../features/leaks/refuse-secrets.js'
import type { UploadSlot, UploadSlots } from '../features/media/upload-slots.js'
import { sendStatic } from '../features/pages/send-static.js'
import type { CallEntry } from '../foundation/audit/actions.js'
import { whileAdmitted } from '../foundation/callers/admitted.js'
import type { AgentIdentity } from '../foundation/callers/agent-identities.js'
import { admittedOf, type Caller } from '../foundation/callers/caller.js'
import type { Db } from '../foundation/db/db.js'
import type { Attempt } from '../foundation/idempotency.js'
import type { Scratch } from '../foundation/scratch.js'
import { StaticFile } from '../foundation/static-file.js'
import { type AdmittingEdge, admit, admitAgain, hasCaller, repeatIfAdmitted, toGovernedCall } from './admit.js'
import { createWriteAliases, outputWithAliases, readAliases } from './aliases.js'
import { BAD_TOKEN } from './auth.js'
import { bodyLimitOf } from './body-limit.js'
import { browserContext, callContext } from './call-context.js'
import { inputOf } from './call-input.js'
import { type Cut, createFieldReader } from './fields.js'
import { acceptForms, announcedBytes, discardRest, type Form, formSchema, readForm, sizeOf } from './form.js'
import { ADMITTED_FOR_MS, type Hot } from './hot.js'
import { createHotRoute, sharedKey } from './hot-route.js'
import type { createRateLimit } from './rate-limit.js'
import { requireDecodable } from './read-bodies.js'
import { asIs, replay, replayToReplacedKey, storeAnswer } from './replay.js'
import { sendText } from './send-text.js'
import type { SharedAnswers } from './shared-answers.js'
import { explainUnknownInput, refuseUnknown } from './unknown-input.js'
import { createJsonWriter } from './write-json.js'

/** Everything that a call passes through before and after its handler. */
export interface Edge extends AdmittingEdge {
  readonly rateLimit: ReturnType<typeof createRateLimit>
  readonly sharedAnswers: SharedAnswers
  /** Where uploaded files are stored until their call is answered. */
  readonly scratch: Scratch
  readonly uploadSlots: UploadSlots
  /** The dependencies of handlers; a governed call gets the gate's `db` instead. */
  readonly deps: Deps
  /** Notes that the agent called. */
  readonly noteSeen: (agent: AgentIdentity) => void
  /** Absent where the framework answers everything. */
  readonly hot?: Hot | undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call a route and what it counts against. A route without it stops the start. */
    access?: Pick<Endpoint, 'auth' | 'limit' | 'form' | 'multipart' | 'statuses'>
  }
  interface FastifyRequest {
    caller: Caller
    /** When its caller was identified, in milliseconds of a clock that nobody sets. */
    admittedAt: number
    attempt: Attempt | undefined
    form: Form | undefined
    /** What was sent that the endpoint does not know, as it was before defaults were added. */
    unknown: readonly Detail[] | undefined
    /** The right to send the form's files. */
    slot: UploadSlot | undefined
  }
}

/** Refuses, at the start, a route that does not declare who may call it. Must run before any route is added. */
export function requireAccess(app: FastifyInstance): void {
  app.decorateRequest('caller')
  app.decorateRequest('admittedAt', 0)
  app.decorateRequest('attempt')
  app.decorateRequest('form')
  app.decorateRequest('unknown')
  app.decorateRequest('slot')
  app.addHook('onRoute', (route) => {
    // A CORS preflight is not an endpoint.
    if (route.method !== 'OPTIONS' && !route.config?.access)
      throw new Error(`Route ${route.method} ${route.url} declares no auth and limit class`)
  })
}

export interface Bound {
  readonly name: EndpointName
  readonly endpoint: Endpoint
  readonly handle: (call: { input: object; address: string } & Record<string, unknown>) => unknown
}

/** Pairs every endpoint with its handler; throws if one is missing or superfluous. */
export function pair(handlers: Handlers): Bound[] {
  const missing = calledEndpoints.filter(({ name }) => !(name in handlers)).map(({ name }) => name)
  const unknown = Object.keys(handlers).filter((name) => !calledEndpoints.some((endpoint) => endpoint.name === name))
  if (missing.length > 0) throw new Error(`Endpoints without a route: ${missing.join(', ')}`)
  if (unknown.length > 0) throw new Error(`Routes without an endpoint: ${unknown.join(', ')}`)
  return calledEndpoints.map(({ name, endpoint }) => ({ name, endpoint, handle: handlers[name] as Bound['handle'] }))
}

/** Adds an endpoint to the app: everything generic about a call happens here, driven by the endpoint's data. */
export function bind(app: FastifyInstance, edge: Edge, bound: Bound): void {
  if (!bound.endpoint.multipart) addRoute(app, edge, bound)
  // Only endpoints that take forms parse them.
  else
    app.register(async (scope) => {
      await acceptForms(scope)
      addRoute(scope, edge, bound)
    })
}

function addRoute(app: FastifyInstance, edge: Edge, { name, endpoint, handle }: Bound): void {
  const isJson = endpoint.media === undefined || endpoint.media === 'application/json'
  const options = createRouteOptions(edge, name, endpoint)
  const writeAliases = createWriteAliases(name, endpoint) ?? asIs
  const readFields = takesFields(endpoint) ? createFieldReader(outputWithAliases(name, endpoint)) : undefined
  const write = createJsonWriter(name, endpoint, writeAliases)
  const hot = endpoint.hot && edge.hot && createHotRoute(edge, name, endpoint, handle, write)
  app.route({
    ...options,
    schema: {
      ...options.schema,
      ...(isJson && {
        response: {
          [endpoint.success]: outputWithAliases(name, endpoint),
          ...(endpoint.charge === 'post' && { [PENDING]: PendingApproval }),
        },
      }),
    },
    // Only calls that can carry an Idempotency-Key need replaying and storing.
    ...(endpoint.method !== 'GET' && {
      preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
        // The body may have taken long, and what the caller may do may have changed meanwhile.
        if (hasCaller(endpoint)) await admitAgain(edge, name, endpoint, request)
        refuseUnknown(request.unknown)
        return replay(edge, name, endpoint, request, reply)
      },
      onSend: (request: FastifyRequest, reply: FastifyReply, payload: unknown) =>
        storeAnswer(edge, request, reply, payload),
    }),
    ...(hot && {
      onResponse: async (request: FastifyRequest, reply: FastifyReply) => edge.hot?.learn(hot, request, reply),
    }),
    async handler(request, reply) {
      if (endpoint.method === 'GET') refuseUnknown(request.unknown)
      const input = inputOf(endpoint, request)
      const cut = readFields && takeFields(readFields, input)
      const { deps } = edge
      const { id: requestId } = request
      const address = networkOf(request.ip)
      if (endpoint.method !== 'GET') await refuseSecrets(deps, input, { name, endpoint, requestId })
      const work = (db: Db, entry?: CallEntry) =>
        handle({
          input,
          address,
          requestId,
          deps: { ...deps, db },
          entry,
          ...(callContext(endpoint, request.caller) ?? browserContext(deps, endpoint, request, reply)),
        })
      const attempt = async () =>
        endpoint.action
          ? edge.gate.run(toGovernedCall(name, endpoint, request), input, work)
          : work(endpoint.method === 'GET' ? deps.db : whileAdmitted(deps.db, admittedOf(request.caller)))
      const respond = () => attempt().catch((error) => repeatIfAdmitted(edge, name, endpoint, request, attempt, error))
      if (endpoint.shared && request.caller.kind === 'anyone') {
        const make = async () => Buffer.from(write(await respond()))
        const bytes = await edge.sharedAnswers.read(sharedKey(name, input), make)
        return reply.type('application/json; charset=utf-8').send(cut ? Buffer.from(cut(bytes.toString())) : bytes)
      }
      const answer = await respond()
      // A write asked again as it was committed.
      if (endpoint.method === 'GET' && isAdmissionOld(request)) await admitAgain(edge, name, endpoint, request)
      reply.code(answer instanceof Waiting ? PENDING : endpoint.success)
      if (request.caller.kind !== 'anyone' || endpoint.method !== 'GET' || endpoint.secret)
        reply.header('Cache-Control', 'no-store')
      if (answer instanceof Waiting) return reply.header('Location', answer.approval.url).send(answer.approval)
      if (answer instanceof StaticFile) return sendStatic(request, reply, answer)
      if (!isJson) return sendText(request, reply, endpoint, answer)
      const json = write(answer)
      return reply
        .type('application/json; charset=utf-8')
        .serializer(asIs)
        .send(cut ? cut(json.toString()) : json)
    },
  })
}

function isAdmissionOld({ caller, admittedAt }: FastifyRequest): boolean {
  return caller.kind !== 'anyone' && performance.now() - admittedAt > ADMITTED_FOR_MS
}

function takesFields({ query }: Endpoint): boolean {
  return query !== undefined && 'fields' in query.properties
}

/** Takes `fields` out of an input. Handlers and caches know nothing of it: what is cut is the finished answer. */
function takeFields(read: ReturnType<typeof createFieldReader>, input: Record<string, unknown>): Cut | undefined {
  const { fields } = input
  if (typeof fields !== 'string') return undefined
  delete input.fields
  return read(fields)
}

/** The status of a call that waits for its owner. */
export const PENDING = 202

/** Adds a channel to the app: it is admitted like every call and then takes over the connection. */
export function bindChannel<Name extends ChannelName>(
  app: FastifyInstance,
  edge: Edge,
  name: Name,
  open: Channels[Name],
): void {
  const endpoint: Endpoint = endpoints[name]
  app.route({
    ...createRouteOptions(edge, name, endpoint),
    async handler(request, reply) {
      const { deps } = edge
      const { id: requestId } = request
      const address = networkOf(request.ip)
      refuseUnknown(request.unknown)
      const input = inputOf(endpoint, request)
      const context = callContext(endpoint, request.caller) ?? browserContext(deps, endpoint, request, reply)
      const call = { input, address, requestId, deps, ...context }
      await open(call as Parameters<Channels[Name]>[0], { request, reply })
      return reply
    },
  })
}

/** The options of a route: everything that happens to a call before its handler. */
function createRouteOptions(edge: Edge, name: EndpointName, endpoint: Endpoint) {
  return {
    method: endpoint.method,
    url: endpoint.path,
    exposeHeadRoute: endpoint.method === 'GET' && !isChannel(name),
    bodyLimit: bodyLimitOf(endpoint),
    config: { access: endpoint },
    schema: {
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.multipart ? formSchema(endpoint.body) : endpoint.body }),
    },
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      request.admittedAt = performance.now()
      const handed = edge.hot?.handedOver(request.raw)
      const { caller, refusal, counted = caller, hasBadToken } = await edge.authenticate(endpoint.auth, request)
      request.caller = caller
      // Whoever else asks must not get this answer from a cache.
      if (hasBadToken) reply.headers({ ...BAD_TOKEN, 'Cache-Control': 'no-store' })
      // It has been counted, and may have been refused for that.
      if (handed) reply.headers(handed.limits)
      else await edge.rateLimit(endpoint, counted, request, reply)
      if (handed?.refusal) throw handed.refusal
      if (refusal) {
        const answered = await replayToReplacedKey(edge, name, endpoint, request, reply)
        if (answered) return answered
        throw refusal
      }
      if (caller.kind === 'agent') edge.noteSeen(caller.agent)
      await admit(edge, name, endpoint, request)
    },
    preValidation: endpoint.multipart
      ? async (request: FastifyRequest, reply: FastifyReply) => {
          await receiveForm(edge, name, endpoint, request, reply)
          readParts(name, endpoint, request)
        }
      : (request: FastifyRequest, _: FastifyReply, next: () => void) => {
          readParts(name, endpoint, request)
          next()
        },
  }
}

/** Reserves the announced size, then reads the form. */
async function receiveForm(
  edge: Edge,
  name: EndpointName,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { caller } = request
  const announced = announcedBytes(request, endpoint)
  let slot: UploadSlot | undefined
  try {
    if (caller.kind === 'agent') slot = await edge.uploadSlots.take(caller.agent.id, announced)
  } catch (error) {
    discardRest(request)
    throw error
  }
  // Nobody is left to send the form, and a form of a connection that has ended never ends.
  if (request.raw.destroyed || reply.sent) {
    await slot?.release({ isCharged: false })
    throw new Problem('REQUEST_TIMEOUT')
  }
  request.slot = slot
  request.allowLongForm?.(announced.bytes)
  const form = await readForm(request, name, endpoint, edge.scratch)
  try {
    await slot?.settle(sizeOf(form))
  } catch (error) {
    await form.remove()
    throw error
  }
  request.form = form
}

function readParts(name: EndpointName, endpoint: Endpoint, request: FastifyRequest): void {
  if (endpoint.query) requireDecodable(request.url)
  request.query = withoutEmpty(request.query)
  readAliases(name, request.query)
  request.body ??= request.form?.members ?? {}
  readAliases(name, request.body)
  request.unknown = explainUnknownInput(endpoint, request)
}

function withoutEmpty(query: unknown): Record<string, unknown> {
  const members = (query ?? {}) as Record<string, unknown>
  for (const name in members) if (members[name] === '') delete members[name]
  return members
}
