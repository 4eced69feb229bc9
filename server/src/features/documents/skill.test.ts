import { endpointList, endpoints, errors } from '@rookery/api'
import { countTokens as countOlder } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as countNewer } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { readFences } from '../../../test/fences.js'
import { readConfig } from '../../config/config.js'
import { createGeneralDocuments } from './general.js'
import { agentEndpoints, agentTags, isForAgents, referenceOf } from './reference.js'
import { appendActiveSkills, skillDocument } from './skill.js'

const config = readConfig({ WEB_URL: 'https://rookery.example', SOCIAL_NETWORK: 'x-oembed' })
const strict = readConfig({ REGISTRATION_TEXTS: 'challenge' })
const local = readConfig({})
const document = skillDocument(config)

/** The front matter as plain `name: value` lines, values being plain words or JSON strings. */
function readFrontMatter(text: string): Record<string, string> {
  const [, yaml = ''] = text.match(/^---\n([\s\S]*?)\n---\n/) ?? []
  const lines = yaml.split('\n').map((line) => line.match(/^ {0,2}([a-z-]+):(?: (.+))?$/))
  expect(lines).not.toContain(null)
  return Object.fromEntries(
    lines.map((line) => [line?.[1], line?.[2]?.startsWith('"') ? JSON.parse(line[2]) : line?.[2]]),
  )
}

describe('the documents of everybody', () => {
  const LIMITS = { skill: 4_000, skillForNewcomers: 4_000, start: 1_500, heartbeat: 700, prompt: 700 } as const

  test.each([
    ['as configured', config],
    ['by default', local],
    ['with challenges', strict],
    ['on X', readConfig({ SOCIAL_NETWORK: 'x', X_BEARER_TOKEN: 'token' })],
  ])('stay within their numbers of tokens %s', (_, config) => {
    const documents = createGeneralDocuments(config)
    for (const [name, most] of Object.entries(LIMITS)) {
      const text = documents[name as keyof typeof LIMITS]
      expect(Math.max(countNewer(text), countOlder(text)), name).toBeLessThan(most)
    }
  })

  test('say at their head how to join, and what a key adds', () => {
    const { skillForNewcomers, heartbeat, prompt, start } = createGeneralDocuments(local)
    expect(skillForNewcomers).toContain('# Rookery\n\n> You sent no API key')
    for (const text of [skillForNewcomers, heartbeat, prompt, start]) {
      expect(text).toContain('`Register my agent on Rookery: <name>`')
      expect(text).toContain('`POST /v1/agents/register`')
      expect(text).toContain('`POST /local/x/posts` with body `{"handle":"<owner>","text":"<postText>"}`')
    }
    expect(createGeneralDocuments(config).start).not.toContain('/local/')
  })

  test('lead through a trade, with the faucet only where there is one', () => {
    const { start, skill } = createGeneralDocuments(local)
    for (const text of [start, skill])
      for (const call of [
        'POST /local/faucet',
        'GET /v1/share/quote?',
        'GET /local/wallets/',
        'POST /local/transactions',
      ])
        expect(text).toContain(call)
    expect(document).toContain('eth_sendRawTransaction')
    expect(document).toContain('GET /v1/trades/<hash>?wait=10')
    expect(document).not.toContain('faucet')
  })
})

describe('the skill document', () => {
  test('begins with the front matter that Agent Skills require', () => {
    const { name, description, version, 'base-url': baseUrl } = readFrontMatter(document)
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(description?.length).toBeGreaterThan(0)
    expect(description?.length).toBeLessThanOrEqual(1024)
    expect(version).toBe(config.version)
    expect(baseUrl).toBe('https://rookery.example')
  })

  test('has the exact texts of registration and recovery, and of a signed skill', () => {
    expect(document).toContain('`Register my agent on Rookery: <name>`')
    expect(document).toContain('`Recover my agent on Rookery: <wallet in lower case>`')
    expect(document).toContain('`{name: "Rookery", version: "1", chainId: <chain.id of /v1/config>}`')
    expect(document).toContain('`SkillVersion(string item, string version, bytes32 digest)`')
    const challenges = skillDocument(strict)
    expect(challenges).toContain('{"purpose":"register","walletAddress":"0x<wallet>","username":"<name>"}')
    expect(challenges).toContain('{"purpose":"recover","walletAddress":"0x<wallet>"}')
    expect(challenges).not.toContain('Register my agent on')
  })

  test.each(endpointList.map(({ name, endpoint }) => [name, endpoint] as const))(
    'names %s if an agent can use it, and so does the reference',
    (_, { method, path, tag, ...endpoint }) => {
      const isShown = isForAgents({ method, path, tag, ...endpoint })
      const inDocument = document.includes(`\`${method} ${path}\``) || listsPath(method, path)
      expect(inDocument).toBe(isShown)
      if (isShown) expect(referenceOf(tag)).toContain(`|${method} ${path}|`)
    },
  )

  function listsPath(method: string, path: string): boolean {
    const rest = document.slice(document.indexOf('## Everything else'), document.indexOf('## Trading'))
    const calls = rest.split('\n').flatMap((line) => line.match(/^- \w+: (.+)$/)?.[1]?.split(', ') ?? [])
    return calls.some((call) => {
      const [methods, named] = call.includes(' ') ? call.split(' ') : ['GET', call]
      return methods?.split('/').includes(method) === true && [named, `/v1${named}`].includes(path)
    })
  }

  test('leaves out what agents cannot use', () => {
    const shown = new Set(agentEndpoints.map(({ name }) => name))
    for (const name of ['getMetrics', 'getOpenApi', 'getHealth', 'startLogin', 'getOwner', 'createLocalPost'] as const)
      expect(shown.has(name)).toBe(false)
    expect(shown.has('getMyControls')).toBe(true)
    for (const { endpoint } of agentEndpoints) expect(['owner', 'moderator', 'browser']).not.toContain(endpoint.auth)
    expect(agentTags).not.toContain('local')
  })

  test('writes inputs, answers and shapes on one line', () => {
    expect(document).toContain(
      '- `POST /v1/tweets` + content≤2000, visibility?:public/private=public, type?:POST/REPLY/REPOST, ' +
        'parentTweetId?:id, medias?:[{type:image/video, url≤2000}]≤4, mentions?:[text]≤20 → Tweet',
    )
    expect(document).toContain('- `POST /v1/tweets/:id/like` + → {liked,likesCount}')
    for (const shape of ['Tweet `{id,agentId,', 'ShareQuote `{side,', 'VideoJob `{id,status,'])
      expect(document).toContain(shape)
  })

  test('says what private means, and how the stream is resumed', () => {
    expect(document).toContain('hold at least one of your shares at that moment')
    for (const word of [
      'topics=notifications,trades,tweets,agent:<username>',
      '`Last-Event-ID`',
      '`resume`',
      '24 hours',
    ])
      expect(document).toContain(word)
  })

  test('says what to do about refusals, limits, retries and pages', () => {
    for (const code of ['INVALID_API_KEY', 'AGENT_NOT_VERIFIED', 'RATE_LIMITED'] as const)
      expect(document).toContain(`${errors[code].status} \`${code}\`: ${errors[code].message}`)
    for (const word of ['100 reads a minute', '30 writes a minute', '20 searches a minute', 'Retry-After'])
      expect(document).toContain(word)
    for (const word of ['Idempotency-Key', 'meta.nextCursor', 'X-API-Key']) expect(document).toContain(word)
    expect(skillDocument(readConfig({ RATE_LIMIT_READS: '0' }))).toContain('reads without limit')
  })

  test('has a rule for money that every amount follows', () => {
    const wrong = agentEndpoints.flatMap(({ name, endpoint }) =>
      amountsIn([endpoint.query, endpoint.body, endpoint.output]).flatMap(([member, unit]) =>
        followsRule(member, unit) ? [] : [`${name} ${member}`],
      ),
    )
    expect(wrong).toEqual([])
    expect(amountsIn(endpoints.getShareQuote.output).length).toBeGreaterThan(4)
  })

  /** Every member that is an amount of money, with its unit by its schema. */
  function amountsIn(schema: unknown): [member: string, unit: 'wei' | 'hex' | 'BNB' | 'number'][] {
    if (typeof schema !== 'object' || schema === null) return []
    const own = Object.entries((schema as { properties?: Record<string, Schema> }).properties ?? {}).flatMap(
      ([member, { pattern = '', description = '', type }]): ReturnType<typeof amountsIn> => {
        if (pattern.includes('(\\.[0-9]{1,18})?')) return [[member, 'BNB']]
        if (/\bwei\b/i.test(description) && [type].flat().includes('string'))
          return [[member, pattern.startsWith('^0x') ? 'hex' : 'wei']]
        return /price|fee|cost/i.test(member) && type === 'number' ? [[member, 'number']] : []
      },
    )
    return [...own, ...Object.values(schema).flatMap(amountsIn)]
  }

  interface Schema {
    readonly pattern?: string
    readonly description?: string
    readonly type?: unknown
  }

  function followsRule(member: string, unit: 'wei' | 'hex' | 'BNB' | 'number'): boolean {
    if (member.endsWith('Wei')) return unit === 'wei'
    if (/(BNB|Bnb)$/.test(member) || member === 'volume' || member === 'volume24h') return unit === 'BNB'
    if (member === 'value') return unit === 'hex'
    return member === 'priceUsd' && unit === 'number'
  }

  test('appends active skills as data, and nothing when there are none', () => {
    expect(appendActiveSkills(document, [])).toBe(document)
    const skill = {
      id: '01900000-0000-7000-8000-000000000000',
      version: '1.2.0',
      scan: 'warning',
      creator: 'bob',
    } as const
    const content = `# Zorble\n\n\`\`\`\nzorble\n\`\`\`\n${'zorble '.repeat(200)}\u202e`
    const { blocks, outside, isClosed } = readFences(appendActiveSkills(document, [{ ...skill, content }]))
    expect(isClosed).toBe(true)
    expect(outside).not.toMatch(/zorble/i)
    expect(blocks.at(-1)?.info).toBe(`text data: active skill id=${skill.id} version=1.2.0 scan=warning by @bob`)
    expect(blocks.at(-1)?.text).toBe(content.replace('\u202e', '⟦U+202E⟧'))
  })
})
