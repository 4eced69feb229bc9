import type { IncomingMessage } from 'node:http'
import { type Endpoint, endpointList, endpoints } from '@rookery/api'
import type { FastifyInstance } from 'fastify'
import Negotiator from 'negotiator'
import { documentPathOf, guidePages, pathOf } from '../features/guide/guide-pages.js'
import { varyBy } from '../features/pages/vary-by.js'

/** Where a path leads who prefers another form of it. */
interface Alternate {
  /** The types of the path itself and of the other form; the first is what a caller without a preference gets. */
  readonly types: (headers: IncomingMessage['headers']) => readonly string[]
  /** The types that the other form is for. */
  readonly wanted: ReadonlySet<string>
  readonly path: string
  /** Whether only who sends a key has a choice. */
  readonly needsKey?: boolean
}

/** A page for people, which is Markdown for programs. */
interface Readable {
  readonly page: string
  readonly document: string
}

const START: Readable = { page: '/', document: '/AGENTS.md' }

const TEXTS = ['text/markdown', 'text/plain']

// What reads on behalf of a model, and the tools that models call with. Browsers and the robots that make link previews are not here.
const AGENTS =
  /GPTBot|ChatGPT|OAI-SearchBot|Claude|anthropic|Perplexity|Gemini|Google-Extended|cohere|MistralAI|DuckAssist|YouBot|Amazonbot|Bytespider|CCBot|LangChain|LlamaIndex|OpenClaw|^(curl|Wget|HTTPie|xh|node|undici|axios|got|python|aiohttp|httpx|Go-http-client|okhttp|Java|ruby|reqwest|Deno|Bun)\b/i

const pages = [START, ...guidePages.map((page): Readable => ({ page: pathOf(page), document: documentPathOf(page) }))]

const alternates = new Map<string, Alternate>([
  ...pages.map(({ page, document }): [string, Alternate] => [
    page,
    {
      types: (headers) =>
        AGENTS.test(headers['user-agent'] ?? '') ? [...TEXTS, 'text/html'] : ['text/html', ...TEXTS],
      wanted: new Set(TEXTS),
      path: document,
    },
  ]),
  ...endpointList.flatMap(({ endpoint }): [string, Alternate][] => {
    const other = findAlternate(endpoint)
    if (!other) return []
    const wanted = mediaOf(other)
    const types = [mediaOf(endpoint), wanted]
    const needsKey = endpoint.auth === 'optional' && other.auth === 'agent'
    return [[endpoint.path, { types: () => types, wanted: new Set([wanted]), path: other.path, needsKey }]]
  }),
])

function findAlternate({ alternate }: Endpoint): Endpoint | undefined {
  if (alternate === undefined) return undefined
  const other: Endpoint | undefined = endpoints[alternate as keyof typeof endpoints]
  if (!other) throw new Error(`There is no endpoint ${alternate} to answer instead`)
  return other
}

function mediaOf({ media = 'application/json' }: Endpoint): string {
  return media
}

// What axios and others send if nobody has chosen anything.
const LIBRARY_DEFAULT = 'application/json, text/plain, */*'

/** Leads a request to the form that its `Accept` prefers. */
export function rewriteUrl({ url = '/', headers }: IncomingMessage): string {
  const end = url.indexOf('?')
  const alternate = alternates.get(end === -1 ? url : url.slice(0, end))
  if (!alternate || (alternate.needsKey && headers['x-api-key'] === undefined)) return url
  const accept = headers.accept === LIBRARY_DEFAULT ? '*/*' : headers.accept
  const type = new Negotiator({ headers: { accept } }).mediaType([...alternate.types(headers)])
  return type !== undefined && alternate.wanted.has(type) ? alternate.path + (end === -1 ? '' : url.slice(end)) : url
}

/** Says of paths with several forms that the answer depends on `Accept`, so that no cache mixes them up. */
export function varyByAccept(app: FastifyInstance): void {
  const paths = new Set([...alternates].flatMap(([path, { path: other }]) => [path, other]))
  app.addHook('onRequest', (request, reply, next) => {
    if (paths.has(request.routeOptions.url ?? '')) varyBy(reply, 'Accept')
    next()
  })
}
