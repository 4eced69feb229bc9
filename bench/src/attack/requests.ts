import type { Random } from '@rookery/tooling/random'
import type { Operation, Schema } from './document.js'
import { CONTENT_TYPES, foreignText, HEADERS, hostileBody, hostileText, hostileValue, PATH_TRICKS } from './hostile.js'
import { makeForm } from './multipart.js'
import { tamper, type Values } from './values.js'

/** A request as it goes over the wire. */
export interface AttackRequest {
  readonly operation: Operation
  readonly method: string
  /** Path and query, as written. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
  /** Sends less of the body than announced, then closes. */
  readonly isCut: boolean
  /** Sends half of the body, and the rest when its caller has lost its key or was frozen and is back. */
  readonly isHalved: boolean
  /** Whether any success is wrong: it has a member that nobody knows, or one twice. */
  readonly mustFail: boolean
  /** Whether method, path and framing are those of the operation, so that its documented answers apply. */
  readonly isAddressed: boolean
  /** How often it is sent at the same time. */
  readonly times: number
}

export type Kind =
  | 'valid'
  | 'nearly valid'
  | 'hostile'
  | 'unknown member'
  | 'repeated name'
  | 'half-sent'
  | 'foreign text'

type Members = Record<string, unknown>

interface Draft {
  method: string
  path: string
  query: [string, string][]
  headers: [string, string][]
  members: Members | undefined
  body: Buffer | undefined
  isCut: boolean
  isAddressed: boolean
  times: number
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', 'FOO']

/** Makes requests to operations from a random source; the same source makes the same request of the same values. */
export function createRequests(values: Values) {
  function draft(random: Random, operation: Operation, kind: Kind, headers: [string, string][]): Draft {
    const { method, path, parameters, body } = operation
    const mutated = kind === 'nearly valid' ? random.below(Math.max(1, countParts(operation))) : -1
    let part = 0
    const value = (name: string, schema: Schema) => {
      if (part++ === mutated) return values.nearly(random, path, name, schema)
      return kind === 'foreign text' && isFreeText(schema)
        ? foreignText(random).slice(0, schema.maxLength)
        : values.valid(random, path, name, schema)
    }
    let filled = path
    const query: [string, string][] = []
    for (const { name, in: place, required, schema } of parameters) {
      if (place === 'path') filled = filled.replace(`{${name}}`, encodePart(textOf(value(name, schema))))
      if (place === 'query' && (required || random.chance(0.25))) query.push([name, textOf(value(name, schema))])
    }
    const properties = Object.entries(body?.schema.properties ?? {})
    const isRequired = (name: string) => body?.schema.required?.includes(name) ?? false
    const wanted = properties.filter(([name]) =>
      isRequired(name) ? !(part === mutated && random.chance(0.3)) : random.chance(kind === 'foreign text' ? 1 : 0.25),
    )
    const members = body && Object.fromEntries(wanted.map(([name, schema]) => [name, value(name, schema)]))
    return { method, path: filled, query, headers, members, body: undefined, isCut: false, isAddressed: true, times: 1 }
  }

  const twists: readonly ((random: Random, draft: Draft) => void)[] = [
    (random, it) => {
      it.body = hostileBody(random)
    },
    (random, it) => {
      if (it.members) it.members = twistMembers(random, it.members)
    },
    (random, it) => it.headers.push(['Content-Type', random.pick(CONTENT_TYPES)]),
    (random, it) => it.headers.push([...random.pick(HEADERS)]),
    (random, it) => it.headers.push([...random.pick(HEADERS)], [...random.pick(HEADERS)]),
    (random, it) => {
      it.path = random.pick(PATH_TRICKS)(it.path)
      it.isAddressed = false
    },
    (random, it) => {
      it.path = it.path.replace(/[^/]+$/, () => encodePart(hostileText(random)))
      it.isAddressed = false
    },
    (random, it) => {
      it.method = random.pick(METHODS)
      it.isAddressed = false
    },
    // The same name twice, an unknown name, and a name with no value.
    (random, it) =>
      it.query.push(...it.query, [hostileText(random), hostileText(random)], ['limit', '2'], ['limit', '3']),
    (random, it) =>
      it.query.push(['cursor', tamper(random, it.query.find(([name]) => name === 'cursor')?.[1] ?? 'eyJhIjoxfQ')]),
    (random, it) => it.query.push([random.pick(['page', 'limit', 'search', 'cursor', 'sortBy']), hostileText(random)]),
    (_, it) => {
      it.isCut = true
    },
    (random, it) => {
      it.headers.push(['Idempotency-Key', `reused-${random.below(20)}`])
      it.times = random.between(1, 4)
    },
    (random, it) => {
      it.times = random.between(2, 6)
    },
  ]

  return (
    random: Random,
    operation: Operation,
    kind: Kind,
    credential: readonly [string, string] | undefined,
  ): AttackRequest => {
    const it = draft(random, operation, kind, credential ? [[...credential]] : [])
    if (kind === 'hostile') for (let left = random.between(1, 2); left > 0; left--) random.pick(twists)(random, it)
    const isClosed = operation.method !== 'GET' && operation.body?.schema.additionalProperties !== true
    if (kind === 'unknown member' && isClosed) it.members = { ...it.members, [misspell(random, it.members)]: 'private' }
    const { type, content } = bodyOf(random, operation, it, kind)
    const isJson = type === 'application/json' && content !== undefined
    const body = kind === 'repeated name' && isJson ? repeatName(random, content) : content
    const hasType = it.headers.some(([name]) => name === 'Content-Type')
    return {
      operation,
      method: it.method,
      target:
        it.path + (it.query.length > 0 ? `?${it.query.map((pair) => pair.map(encodePart).join('=')).join('&')}` : ''),
      headers: [...it.headers, ...(type === undefined || hasType ? [] : [['Content-Type', type] as const])],
      body,
      isCut: it.isCut && content !== undefined && content.length > 1,
      isHalved: kind === 'half-sent' && isJson && content.length > 2,
      mustFail: isClosed && (kind === 'unknown member' || body !== content),
      isAddressed: it.isAddressed,
      times: it.times,
    }
  }
}

function bodyOf(
  random: Random,
  { body }: Operation,
  it: Draft,
  kind: Kind,
): { type?: string; content: Buffer | undefined } {
  if (it.body) return { type: body?.type ?? 'application/json', content: it.body }
  if (!it.members) return { content: undefined }
  if (!body) return { type: 'application/json', content: Buffer.from(JSON.stringify(it.members)) }
  if (body.type === 'multipart/form-data') return makeForm(random, it.members, kind !== 'valid')
  if (body.type === 'application/x-www-form-urlencoded') {
    const pairs = Object.entries(it.members).map(([name, value]) => `${encodePart(name)}=${encodePart(textOf(value))}`)
    return { type: body.type, content: Buffer.from(pairs.join('&')) }
  }
  return { type: body.type, content: Buffer.from(JSON.stringify(it.members)) }
}

function twistMembers(random: Random, members: Members): Members {
  const names = Object.keys(members)
  const twisted = Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, random.chance(0.5) ? hostileValue(random) : value]),
  )
  if (names.length > 0 && random.chance(0.3)) delete twisted[random.pick(names)]
  // `JSON.stringify` writes it as a member, unlike `{ __proto__: … }`.
  if (random.chance(0.2)) Object.defineProperty(twisted, '__proto__', { value: { isAdmin: true }, enumerable: true })
  return { ...twisted, ...(random.chance(0.3) && { [hostileText(random)]: hostileValue(random) }) }
}

/** A name that nobody knows: one of those that are sent with a letter too many, or what others call something. */
function misspell(random: Random, members: Members = {}): string {
  const names = Object.keys(members)
  const usual = ['private', 'replyTo', 'in_reply_to', 'media', 'events', 'maxTradeBnb', 'visiblity', 'is_private']
  return random.chance(0.5) || names.length === 0 ? random.pick(usual) : `${random.pick(names)}x`
}

/** Names the first member, or a new one, twice in an object. */
function repeatName(random: Random, json: Buffer): Buffer {
  const text = json.toString()
  const name = /^\{("[^"\\]*"):/.exec(text)?.[1]
  if (name === undefined) return Buffer.from(text.replace(/^\{/, '{"a":1,"\\u0061":2,'))
  return Buffer.from(text.replace(/^\{/, `{${name}:${random.pick(['null', '"public"', '{}', '1'])},`))
}

function isFreeText({ type, enum: words, pattern, format }: Schema): boolean {
  return type === 'string' && !words && pattern === undefined && format === undefined
}

function countParts({ parameters, body }: Operation): number {
  return parameters.length + Object.keys(body?.schema.properties ?? {}).length
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const LONE_SURROGATE = /\p{Surrogate}/u

/** Encodes all but what makes the text interesting: lone surrogates become the bytes that no decoder accepts. */
function encodePart(text: string): string {
  return !LONE_SURROGATE.test(text) ? encodeURIComponent(text) : text.replaceAll(/[^a-z0-9]/gi, '%ED%A0%80')
}
