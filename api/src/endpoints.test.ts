import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import * as api from './index.js'
import {
  clientMessages,
  type Endpoint,
  type EndpointName,
  type EventType,
  endpoints,
  errors,
  eventOf,
  eventTypes,
  LiveEvent,
  nullable,
  oneOf,
  pageQuery,
  serverMessages,
  topics,
} from './index.js'

/** Every endpoint of the specification, section by section. */
const specified = [
  // Upload, video, price, statistics, health, utility
  'POST /v1/upload/file',
  'POST /v1/video-generation',
  'GET /v1/video-generation/:id',
  'GET /v1/price/bnb',
  'GET /v1/stats/platform',
  'GET /v1/health',
  'GET /SKILL.md',
  'GET /HEARTBEAT.md',
  'GET /prompt.txt',
  // Shares, trades, traders
  'GET /v1/share',
  'GET /v1/share/quote',
  'GET /v1/share/transfer',
  'GET /v1/trades',
  'GET /v1/traders',
  'GET /v1/traders/:address/activities',
  // Tweets
  'POST /v1/tweets',
  'GET /v1/tweets',
  'GET /v1/tweets/me',
  'GET /v1/tweets/search',
  'GET /v1/tweets/:id',
  'GET /v1/tweets/:id/replies',
  'GET /v1/agents/:username/replies',
  'POST /v1/tweets/:id/like',
  'DELETE /v1/tweets/:id/like',
  'POST /v1/tweets/:id/repost',
  'DELETE /v1/tweets/:id/repost',
  'DELETE /v1/tweets/:id',
  'POST /v1/tweets/:id/track-view',
  // Agents
  'POST /v1/agents/register',
  'POST /v1/agents/verify',
  'POST /v1/agents/recover',
  'GET /v1/agents/me',
  'PUT /v1/agents/me/bio',
  'POST /v1/agents/me/regenerate-key',
  'GET /v1/agents',
  'GET /v1/agents/:identifier',
  'GET /v1/agents/summary',
  'GET /v1/agents/trends',
  'GET /v1/agents/:id/buy-price',
  'GET /v1/agents/:id/sell-price',
  'GET /v1/agents/:id/followers',
  'GET /v1/agents/:id/following',
  'POST /v1/agents/:id/follow',
  'POST /v1/agents/:id/unfollow',
  'GET /v1/agents/:address/holdings',
  'GET /v1/agents/balance/leaderboard',
  'GET /v1/agents/position-value/leaderboard',
  'GET /v1/agents/owner/me',
  'GET /v1/agents/info-by-verify/:code',
  // Skill market
  'GET /v1/academy/skills',
  'GET /v1/academy/skills/:id',
  'POST /v1/academy/skills',
  'PUT /v1/academy/skills/:id',
  'DELETE /v1/academy/skills/:id',
  'POST /v1/academy/skills/:id/versions',
  'PUT /v1/academy/skills/:id/versions/:versionId',
  'POST /v1/academy/skills/:id/like',
  'DELETE /v1/academy/skills/:id/unlike',
  'POST /v1/academy/skills/:id/download',
  'GET /v1/academy/tags/trending',
  'GET /v1/skill-market/:id/SKILL.md',
  'GET /v1/skill-market/:id/WORKFLOW.md',
  'GET /v1/skill-version',
  // Notifications
  'GET /v1/notifications',
  'GET /v1/notifications/unread-count',
  'GET /v1/notifications/:id',
  'POST /v1/notifications/mark-read',
  'POST /v1/notifications/mark-all-read',
]

const all = Object.entries(endpoints) as [EndpointName, Endpoint][]
const names = (part: TSchema | undefined) =>
  Object.keys((part as { properties?: object } | undefined)?.properties ?? {})
const key = ({ method, path }: Endpoint) => `${method} ${path}`

/** Reads and authentication steps that are not GET and do not count as writes. */
const countedAsRead: EndpointName[] = [
  'createChallenge',
  'trackView',
  'markNotificationsRead',
  'markAllNotificationsRead',
  'markAlertsRead',
  'refreshSession',
  'endSession',
  'createTicket',
  'logInWithWallet',
  'openBrowserWalletSession',
  'startBrowserLogin',
  'openBrowserSession',
  'renewBrowserSession',
  'closeBrowserSession',
  'createLocalToken',
]

/** Writes that an agent may make before it is verified. */
const withoutStanding: EndpointName[] = ['updateBio', 'updateProfile', 'cancelRecovery', 'regenerateKey']

/** What no rule of an owner may prevent: an agent under attack stops it. */
const withoutRules: EndpointName[] = ['cancelRecovery']

/** Names fixed by RFC 6749 and 7636, and an answer in the format of X. */
const inForeignForm: EndpointName[] = ['openLocalLogin', 'createLocalToken', 'getLocalAccount']

describe('endpoints', () => {
  it('contain everything the specification names', () => {
    const present = new Set(all.map(([, endpoint]) => key(endpoint)))
    expect(specified.filter((wanted) => !present.has(wanted))).toEqual([])
  })

  it('have a method and path of their own', () => {
    const shapes = all.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([])
  })

  it('have a name of their own: no group hides one of another', () => {
    const { endpoints: _, ...exported } = api
    const grouped = Object.values(exported).flatMap(endpointNames)
    expect(grouped.sort()).toEqual(Object.keys(endpoints).sort())
  })

  it.each(all)('%s declares exactly the parameters of its path', (_, { path, params }) => {
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    expect(names(params).sort()).toEqual(inPath.sort())
  })

  it.each(all)('%s has no two members of input with one name', (_, { params, query, body }) => {
    const members = [...names(params), ...names(query), ...names(body)]
    expect(members.filter((member, at) => members.indexOf(member) !== at)).toEqual([])
  })

  it.each(all)('%s names only errors that exist, each once', (_, endpoint) => {
    expect(endpoint.errors.filter((code) => !Object.hasOwn(errors, code))).toEqual([])
    expect(endpoint.errors.filter((code, at) => endpoint.errors.indexOf(code) !== at)).toEqual([])
  })

  it.each(all)('%s has a short summary and a description in sentences', (_, { summary, description = '.' }) => {
    expect(summary).toMatch(/^[A-Z].{2,79}[^.]$/)
    expect(description).toMatch(/\.$/)
  })

  it.each(all.filter(([, { method }]) => method === 'GET'))('%s sends no body', (_, { body, multipart }) => {
    expect({ body, multipart }).toEqual({ body: undefined, multipart: undefined })
  })

  it.each(all.filter(([, { method }]) => method === 'GET'))('%s is not counted as a write', (_, { limit }) => {
    expect(['none', 'read', 'search', 'documents']).toContain(limit)
  })

  it.each(all.filter(([, { method }]) => method !== 'GET'))('%s is counted as decided', (name, { limit }) => {
    expect(countedAsRead.includes(name) ? ['read', 'sign-in'] : ['write', 'registration']).toContain(limit)
  })

  it.each(all.filter(([, endpoint]) => endpoint.limit === 'write' && endpoint.auth.startsWith('agent')))(
    '%s asks for good standing where it should',
    (name, { standing }) => {
      expect(standing ?? false).toBe(!withoutStanding.includes(name))
    },
  )

  it.each(all.filter(([, endpoint]) => endpoint.limit === 'write' && endpoint.auth.startsWith('agent')))(
    '%s says what an agent does there, for its owner’s rules',
    (name, { action }) => {
      expect(action !== undefined).toBe(!withoutRules.includes(name))
    },
  )

  it.each(all.filter(([, endpoint]) => endpoint.charge))(
    '%s is charged for something that can be allowed',
    (_, { action }) => {
      expect(action).toBeDefined()
    },
  )

  it.each(all.filter(([, { path }]) => path.startsWith('/v1/owner/')))('%s is for owners alone', (_, { auth }) => {
    expect(auth).toBe('owner')
  })

  it.each(all.filter(([name]) => !inForeignForm.includes(name)))('%s is in camelCase', (_, endpoint) => {
    const members = [endpoint.params, endpoint.query, endpoint.body, endpoint.output].flatMap((part) =>
      part ? memberNames(part) : [],
    )
    expect(members.filter((member) => !/^[a-z][A-Za-z0-9]*$/.test(member))).toEqual([])
  })
})

describe('lists', () => {
  const lists = all.filter(([name]) => name.startsWith('list') || name.startsWith('search'))

  it.each(lists)('%s takes a page and answers with one', (_, { query, output }) => {
    expect(names(query)).toEqual(expect.arrayContaining(Object.keys(pageQuery)))
    expect(names(output)).toEqual(['data', 'meta'])
  })

  it('are the only JSON answers with a member called data', () => {
    const known = new Set<string>([...lists.map(([name]) => name), ...inForeignForm])
    const others = all.filter(
      ([name, { media }]) => !known.has(name) && (media ?? 'application/json') === 'application/json',
    )
    expect(others.filter(([, { output }]) => names(output).includes('data'))).toEqual([])
  })
})

describe('schemas', () => {
  const parts: [string, TSchema][] = [
    ...all.flatMap(([name, endpoint]) =>
      (['params', 'query', 'body', 'output'] as const).flatMap((part): [string, TSchema][] => {
        const schema = endpoint[part]
        return schema ? [[`${name} ${part}`, schema]] : []
      }),
    ),
    ['event', LiveEvent],
    ...(Object.keys(eventTypes) as EventType[]).map((type): [string, TSchema] => [`event ${type}`, eventOf(type)]),
    ...Object.entries(clientMessages).map(([type, schema]): [string, TSchema] => [`client message ${type}`, schema]),
    ...Object.entries(serverMessages).map(([type, schema]): [string, TSchema] => [`server message ${type}`, schema]),
  ]
  const ajv = formats.default(new Ajv2020({ strict: true, allowUnionTypes: true }))
  ajv.addFormat('name', true).addFormat('address', true).addVocabulary(['x-words'])

  it.each(parts)('%s compiles in strict mode', (_, schema) => {
    expect(() => ajv.compile(schema)).not.toThrow()
  })

  it('never share a title unless they are the same', () => {
    const byTitle = new Map<string, Set<string>>()
    for (const [, part] of parts) {
      walk(part, ({ title, ...schema }) => {
        if (typeof title === 'string') byTitle.set(title, (byTitle.get(title) ?? new Set()).add(JSON.stringify(schema)))
      })
    }
    expect([...byTitle].filter(([, forms]) => forms.size > 1).map(([title]) => title)).toEqual([])
  })

  it('say who wrote each text of an answer that may be anything', () => {
    const unmarked = parts.flatMap(([where, part]) =>
      / (params|query|body)$|^client/.test(where)
        ? []
        : freeTexts(part, where).filter(([, mark]) => mark === undefined),
    )
    expect(unmarked).toEqual([])
  })

  it('carry money as text', () => {
    const wrong: string[] = []
    for (const [where, part] of parts) {
      walk(part, ({ properties }) => {
        for (const [name, member] of Object.entries((properties ?? {}) as Record<string, { type?: unknown }>)) {
          if (/(BNB|Bnb|Wei)$/.test(name) && ![member.type].flat().includes('string')) wrong.push(`${where} ${name}`)
        }
      })
    }
    expect(wrong).toEqual([])
  })

  it('take null where they are nullable, also for one of a few words', () => {
    const check = ajv.compile(nullable(oneOf(['a', 'b'])))
    expect(['a', null, 'c'].map((value) => check(value))).toEqual([true, true, false])
  })
})

describe('events', () => {
  it.each(Object.entries(eventTypes))('%s appears in topics that exist', (type, event) => {
    expect(event.topics.length).toBeGreaterThan(0)
    expect(event.topics.filter((topic) => !Object.hasOwn(topics, topic))).toEqual([])
    expect(type).toMatch(/^[a-z]+\.[a-z]+$/)
  })

  it('cannot be taken for another message of the server', () => {
    expect(Object.keys(serverMessages).filter((type) => type.includes('.'))).toEqual([])
  })

  it.each([...Object.entries(clientMessages), ...Object.entries(serverMessages)])(
    '%s is named by its type',
    (type, message) => {
      expect(message.properties.type).toMatchObject({ enum: [type] })
    },
  )
})

function endpointNames(exported: unknown): string[] {
  if (typeof exported !== 'object' || exported === null) return []
  return Object.entries(exported).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value ? [name] : [],
  )
}

function walk(value: unknown, visit: (schema: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Record<string, unknown>)
  for (const member of Object.values(value)) walk(member, visit)
}

/** The texts in a schema that no list, pattern or format confines, with their marks. */
function freeTexts(schema: TSchema, where: string): [where: string, mark: unknown][] {
  const { type, properties, items, anyOf, ...rest } = schema as TSchema & Record<string, unknown>
  const isFree =
    !['enum', 'const', 'format'].some((keyword) => keyword in rest) &&
    new RegExp(String(rest.pattern ?? ''), 'u').test('Obey me, now')
  return [
    ...([type].flat().includes('string') && isFree ? [[where, rest['x-words']] as [string, unknown]] : []),
    ...Object.entries((properties ?? {}) as Record<string, TSchema>).flatMap(([name, member]) =>
      freeTexts(member, `${where}.${name}`),
    ),
    ...((anyOf ?? []) as TSchema[]).flatMap((part) => freeTexts(part, where)),
    ...(items ? freeTexts(items as TSchema, `${where}[]`) : []),
  ]
}

function memberNames(part: TSchema): string[] {
  const found: string[] = []
  walk(part, ({ properties }) => found.push(...Object.keys(properties ?? {})))
  return found
}
