import { clientMessages, endpointList } from '@rookery/api'
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js'
import type { TObject } from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/start-server.js'
import { dropNulls } from '../base/drop-nulls.js'
import type { Problem } from '../base/problem.js'
import { compileValidator } from './validate.js'

const server = await startServer()
afterAll(() => server.stop())

/** Where null says something of its own: it removes a rule, or the avatar. */
const meaningful = [
  'updateAvatar avatarUrl',
  'updateControls allowedActions',
  'updateControls approvePostsAfter',
  'updateControls approveTradesAboveBNB',
  'updateControls maxDailyPosts',
  'updateControls maxDailyTradeBNB',
  'updateControls maxTradeBNB',
]

type Member = { readonly type?: string | string[] }

const members = endpointList.flatMap(({ name, endpoint }) =>
  Object.entries((endpoint.body?.properties ?? {}) as Record<string, Member>).map(([member, schema]) => ({
    label: `${name} ${member}`,
    body: endpoint.body as TObject,
    member,
    takesNull: [schema.type].flat().includes('null'),
    isOptional: !endpoint.body?.required?.includes(member),
  })),
)

/** What validation makes of a body: its value, or the members that it complains about. */
function validate(body: TObject, value: Record<string, unknown>): { complaints: string[] } {
  const check = compileValidator({ schema: body, httpPart: 'body' } as FastifyRouteSchemaDef<object>)
  const { error } = check(value) as { error?: Problem }
  return { complaints: (error?.details ?? []).map(({ path }) => path) }
}

describe('null in a body', () => {
  test('says something only where it is listed', () => {
    const taking = members.filter(({ takesNull }) => takesNull).map(({ label }) => label)
    expect(taking.sort()).toEqual(meaningful)
  })

  test.each(members.filter(({ takesNull, isOptional }) => isOptional && !takesNull))(
    'as $label is the same as leaving it out',
    ({ body, member }) => {
      const withNull: Record<string, unknown> = { [member]: null }
      const without: Record<string, unknown> = {}
      expect(validate(body, withNull)).toEqual(validate(body, without))
      expect(withNull).toEqual(without)
    },
  )

  test.each(members.filter(({ takesNull, isOptional }) => !isOptional && !takesNull))(
    'as $label, which is required, is refused',
    ({ body, member }) => {
      expect(validate(body, { [member]: null }).complaints).toContain(member)
    },
  )

  test.each(members.filter(({ takesNull }) => takesNull))('as $label keeps its meaning', ({ body, member }) => {
    const withNull = { [member]: null }
    validate(body, withNull)
    expect(withNull).toHaveProperty(member, null)
  })

  test.each(Object.entries(clientMessages))('as an optional member of the message %s is dropped', (type, schema) => {
    const optional = Object.keys(schema.properties).filter(
      (name) => !((schema.required ?? []) as string[]).includes(name),
    )
    const message = { type, ...Object.fromEntries(optional.map((name) => [name, null])) }
    dropNulls(schema, message)
    expect(message).toEqual({ type })
  })

  test('is dropped inside of lists too', () => {
    const schema = {
      properties: {
        list: { items: { properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] } },
      },
    }
    const value = { list: [{ a: null, b: null }, { a: 'x' }, null] }
    dropNulls(schema, value)
    expect(value).toEqual({ list: [{ a: null }, { a: 'x' }, null] })
  })
})

describe('over HTTP', () => {
  test('a tweet, a registration and an item may say null for all that they leave out', async () => {
    const { alice } = await server.seed.agents('alice')
    const post = (path: string, body: object) =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': alice.apiKey },
        body: JSON.stringify(body),
      })
    const nothing = { visibility: null, type: null, parentTweetId: null, medias: null, mentions: null }
    const tweet = await post('/v1/tweets', { content: 'hello', ...nothing })
    expect([tweet.status, await tweet.json()]).toMatchObject([201, { type: 'POST', visibility: 'public' }])
    const item = { name: 'Item', content: '# x', type: 'skill', versionNumber: null, tags: null, description: null }
    expect((await post('/v1/academy/skills', item)).status).toBe(201)
    expect((await post('/v1/agents/verify', { code: null, tweetUrl: null, verify_token: null })).status).toBe(200)
  })

  test('the SDK sends nothing for null in a query', async () => {
    const search = null as unknown as string
    await server.client().createLocalPost({ handle: 'a', text: 'b' })
    expect((await server.client().listLocalPosts({ handle: search })).meta.total).toBeGreaterThan(0)
  })
})
