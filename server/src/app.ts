import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import { type EndpointName, endpoints } from '@rookery/api'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Network } from './base/network.js'
import type { Handlers } from './call.js'
import { hasStandIns } from './config/exposure.js'
import type { Deps } from './deps.js'
import { agentRoutes } from './features/agents/routes.js'
import { requireStanding } from './features/agents/standing.js'
import { blockRoutes } from './features/blocks/routes.js'
import { createGate } from './features/control/gate.js'
import { controlRoutes } from './features/control/routes.js'
import { discoveryRoutes } from './features/discovery/routes.js'
import { createGeneralDocuments, type GeneralDocuments } from './features/documents/general.js'
import { documentRoutes } from './features/documents/routes.js'
import { feedRoutes } from './features/feeds/routes.js'
import { followRoutes } from './features/follows/routes.js'
import { liveChannels, liveRoutes } from './features/live/routes.js'
import { localRoutes } from './features/local/routes.js'
import { mapRoutes } from './features/map/routes.js'
import { mediaRoutes } from './features/media/routes.js'
import { createUploadSlots } from './features/media/upload-slots.js'
import { moderationRoutes } from './features/moderation/routes.js'
import { notificationRoutes } from './features/notifications/routes.js'
import type { Features } from './features/open-features.js'
import { ownerRoutes } from './features/owners/routes.js'
import { createNotFoundPage } from './features/pages/not-found-page.js'
import { serveGuide } from './features/pages/serve-guide.js'
import { serveMedia } from './features/pages/serve-media.js'
import { servePages } from './features/pages/serve-pages.js'
import { serveTexts } from './features/pages/serve-texts.js'
import { peopleRoutes } from './features/people/routes.js'
import { openPlatform, type Platform } from './features/platform/open.js'
import { platformRoutes } from './features/platform/routes.js'
import { registrationRoutes } from './features/registration/routes.js'
import { verifyOnWrite } from './features/registration/verify-on-write.js'
import { searchRoutes } from './features/search/routes.js'
import { shareRoutes } from './features/shares/routes.js'
import { findSparklines } from './features/shares/sparklines.js'
import { skillRoutes } from './features/skills/routes.js'
import { tweetRoutes } from './features/tweets/routes.js'
import { videoRoutes } from './features/videos/routes.js'
import { webhookRoutes } from './features/webhooks/routes.js'
import type { AgentIdentity } from './foundation/callers/agent-identities.js'
import { createIdempotency } from './foundation/idempotency.js'
import { answerErrors, answerUnreadable } from './http/answer-errors.js'
import { createAuthenticate } from './http/auth.js'
import { bind, bindChannel, pair, requireAccess } from './http/bind.js'
import { MOST_BYTES } from './http/body-limit.js'
import { refuseForeignHosts } from './http/hosts.js'
import { answerHot } from './http/hot.js'
import { serveMcp } from './http/mcp.js'
import { collectMethods } from './http/methods.js'
import { rewriteUrl, varyByAccept } from './http/negotiate.js'
import { createObserve, observeRequests } from './http/observe-requests.js'
import { createRateLimit } from './http/rate-limit.js'
import { readBodies } from './http/read-bodies.js'
import { describeSection, referenceRoutes } from './http/reference.js'
import { compileSerializer } from './http/serialize.js'
import { createSharedAnswers } from './http/shared-answers.js'
import { refuseSlowBodies, SEND_TIMES, timeoutOptions } from './http/slow-requests.js'
import { traceRequests } from './http/trace-requests.js'
import { acceptUpgrades } from './http/upgrade.js'
import { compileValidator } from './http/validate.js'

/** A connection without traffic for this long is closed; streams send heartbeats. */
const SILENT_MS = 120_000

interface AppOptions {
  readonly silentMs?: number
  readonly sendTimes?: typeof SEND_TIMES
  readonly platform?: Platform
  /** Whether plain requests of hot endpoints pass by the framework. Default: unless there are traces, which begin there. */
  readonly isThin?: boolean
}

/** Creates the app with the routes of every feature. */
export async function createApp(
  deps: Deps,
  features: Features,
  {
    silentMs = SILENT_MS,
    sendTimes = SEND_TIMES,
    platform = openPlatform(deps, features.hub),
    isThin = !deps.traces,
  }: AppOptions = {},
): Promise<FastifyInstance> {
  const { config } = deps
  const secured = await createSecurityHeaders(config.webUrl, deps.files.direct?.origin)
  const app: FastifyInstance = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: (_address, hop) => hop < config.TRUST_PROXY,
    bodyLimit: MOST_BYTES,
    rewriteUrl,
    connectionTimeout: silentMs,
    ...timeoutOptions(sendTimes),
    genReqId: (request) => hot?.handedOver(request)?.requestId ?? readRequestId(request, deps),
    // The router's own errors are answered like all others. No hook runs before them, so nothing else ends a body that
    // arrives slowly.
    frameworkErrors: (error, request, reply) =>
      app.errorHandler(
        error,
        request,
        reply.headers(secured).headers({ 'X-Request-Id': request.id, Connection: 'close' }),
      ),
    clientErrorHandler: (error, socket) =>
      answerUnreadable(error, socket, { webUrl: config.webUrl, requestId: deps.ids.next() }),
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  const observe = createObserve(deps)
  const noteSeen = ({ id }: AgentIdentity) => features.agents.lastSeen.called(id)
  const hotDeps = {
    ...deps,
    observe,
    noteSeen,
    readRequestId: (request: IncomingMessage) => readRequestId(request, deps),
  }
  const hot = isThin ? answerHot(app, hotDeps) : undefined
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  // Node would answer an unknown expectation with an empty 417; a server may as well ignore it (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  requireAccess(app)
  const methods = collectMethods(app, createNotFoundPage(config))
  answerErrors(app, config, methods, deps.refusals)
  readBodies(app)
  if (deps.traces) traceRequests(app, deps.traces)
  observeRequests(app, observe)
  refuseSlowBodies(app, sendTimes)
  app.addHook('onRequest', (_request, _reply, next) => {
    deps.traffic.count()
    next()
  })
  await app.register(cors, {
    // Without a match there is no CORS header at all.
    origin: (origin, decide) => decide(null, origin !== undefined && config.webOrigins.includes(origin)),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    // An OPTIONS that asks for no method is not a preflight, and not bad either.
    strictPreflight: false,
    credentials: true,
    exposedHeaders: EXPOSED,
    maxAge: 600,
  })
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(secured).header('X-Request-Id', request.id)
    // So that a proxy sends its next call to another process before this one closes the connection.
    if (deps.draining.isDraining()) reply.header('Connection', 'close')
    next()
  })
  varyByAccept(app)
  refuseForeignHosts(app, config)
  // Before a body is read, because nothing depends on it. CORS has answered its preflights by now.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || request.method === 'OPTIONS') return methods.answerUnmatched(request, reply)
  })

  const edge = {
    authenticate: createAuthenticate(deps),
    rateLimit: createRateLimit(deps),
    idempotency: createIdempotency(deps),
    sharedAnswers: createSharedAnswers(deps),
    scratch: deps.scratch,
    uploadSlots: createUploadSlots(deps),
    gate: createGate(deps),
    deps,
    noteSeen,
    hot,
    requireStanding: (agent: AgentIdentity) => requireStanding(deps, agent),
    verifyPending: (agent: AgentIdentity, network: Network) => verifyOnWrite(deps, agent, network),
  }
  closeIdleConnectionsOnStop(app)
  app.addHook('preClose', () => features.hub.close())
  app.addHook('preClose', async () => features.shares.close())
  const documents = createGeneralDocuments(config)
  const handlers = createHandlers(deps, features, platform, documents)
  for (const bound of pair(handlers)) if (isServed(deps, bound.name)) bind(app, edge, bound)
  serveMedia(app, deps)
  const channels = liveChannels(deps, features.hub, acceptUpgrades(app))
  bindChannel(app, edge, 'openRealtime', channels.openRealtime)
  bindChannel(app, edge, 'streamEvents', channels.streamEvents)
  serveTexts(app, deps, documents, (tag) => describeSection(config, tag))
  serveMcp(app, edge, (name) => isServed(deps, name))
  serveGuide(app, config)
  await servePages(app, config)
  methods.refuseOthers()
  return app
}

function createHandlers(
  { config }: Deps,
  features: Features,
  platform: Platform,
  documents: GeneralDocuments,
): Handlers {
  return {
    ...registrationRoutes,
    ...agentRoutes(features.agents, features.search.agents, findSparklines),
    ...followRoutes(features.follows),
    ...blockRoutes(features.follows),
    ...tweetRoutes(features.tweets),
    ...feedRoutes(features.feeds),
    ...searchRoutes(features.search),
    ...mapRoutes(features.map),
    ...shareRoutes(features.shares),
    ...skillRoutes(features.scanner, features.search.skills),
    ...notificationRoutes(features.notifications),
    ...moderationRoutes,
    ...peopleRoutes(features.post),
    ...mediaRoutes(features.uploads),
    ...ownerRoutes,
    ...controlRoutes,
    ...videoRoutes,
    ...documentRoutes(documents),
    ...discoveryRoutes,
    ...liveRoutes,
    ...webhookRoutes(features.post),
    ...platformRoutes(platform),
    ...referenceRoutes(config),
    ...localRoutes(features.shares),
  }
}

const CHAIN_STAND_INS: ReadonlySet<EndpointName> = new Set(['requestFaucet', 'getLocalWallet', 'sendLocalTransaction'])

// Stand-ins exist only where nothing is real: beside a real chain, play accounts would hold real money. Metrics have a port
// of their own where one is set.
function isServed({ config, embeddedChain }: Deps, name: EndpointName): boolean {
  if (name === 'getMetrics') return config.METRICS_PORT === undefined
  if (endpoints[name].tag !== 'local') return true
  return hasStandIns(config) && (!CHAIN_STAND_INS.has(name) || embeddedChain !== undefined)
}

// Otherwise a connection whose last request ends during the stop would be kept alive, and the stop would wait for
// connections on which no request was ever sent.
function closeIdleConnectionsOnStop(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', async () => {
    const timer = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of silent) socket.destroy()
    }, 50)
    app.server.once('close', () => clearInterval(timer))
  })
}

const EXPOSED = [
  'WWW-Authenticate',
  'Skill-Scan',
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Idempotent-Replayed',
]

function readRequestId({ headers }: IncomingMessage, { ids }: Deps): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : ids.next()
}

/** Creates the security headers. They are the same for all answers, so the library runs only once. */
async function createSecurityHeaders(webUrl: string, filesOrigin?: string): Promise<Record<string, string>> {
  const app = Fastify()
  const elsewhere = filesOrigin ? [filesOrigin] : []
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', ...elsewhere],
        ...(filesOrigin && { mediaSrc: ["'self'", filesOrigin] }),
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: webUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  })
  app.get('/', (_, reply) => void reply.send())
  const { headers } = await app.inject('/')
  await app.close()
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      PER_ANSWER.has(name) || typeof value !== 'string' ? [] : [[name, value]],
    ),
  )
}

const PER_ANSWER = new Set(['content-length', 'content-type', 'connection', 'date'])
