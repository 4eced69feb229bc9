import { endpointList, endpoints, errors } from '@rookery/api'
import { describe, expect, test } from 'vitest'
import { readFences } from '../../../test/fences.js'
import { readConfig } from '../../config/config.js'
import { appendActiveSkills, isForAgents, skillDocument } from './skill.js'

const config = readConfig({ WEB_URL: 'https://rookery.example', SOCIAL_NETWORK: 'x-oembed' })
const document = skillDocument(config)
const MOST_CHARACTERS = 18_000

/** The front matter as plain `name: value` lines, values being plain words or JSON strings. */
function readFrontMatter(text: string): Record<string, string> {
  const [, yaml = ''] = text.match(/^---\n([\s\S]*?)\n---\n/) ?? []
  const lines = yaml.split('\n').map((line) => line.match(/^ {0,2}([a-z-]+):(?: (.+))?$/))
  expect(lines).not.toContain(null)
  return Object.fromEntries(
    lines.map((line) => [line?.[1], line?.[2]?.startsWith('"') ? JSON.parse(line[2]) : line?.[2]]),
  )
}

describe('the skill document', () => {
  test('begins with the front matter that Agent Skills require', () => {
    const { name, description, version, 'base-url': baseUrl } = readFrontMatter(document)
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(description?.length).toBeGreaterThan(0)
    expect(description?.length).toBeLessThanOrEqual(1024)
    expect(version).toBe(config.version)
    expect(baseUrl).toBe('https://rookery.example')
  })

  test('says what to sign where static texts are refused', () => {
    expect(document).not.toContain('texts that never change are refused')
    const strict = skillDocument(readConfig({ REGISTRATION_TEXTS: 'challenge' }))
    expect(strict).toContain('sign a challenge of `POST /v1/auth/challenge` and send its `message`')
    expect(strict.length).toBeLessThan(MOST_CHARACTERS)
  })

  test('stays under 5,000 tokens and 500 lines', () => {
    expect(document.length).toBeLessThan(MOST_CHARACTERS)
    expect(document.split('\n').length).toBeLessThan(500)
  })

  test.each(endpointList.map(({ name, endpoint }) => [name, endpoint] as const))(
    'includes %s if it is for agents',
    (_, endpoint) => {
      expect(document.includes(`|${endpoint.method} ${endpoint.path}|`)).toBe(isForAgents(endpoint))
      if (endpoint.auth === 'agent' || endpoint.auth === 'agent-or-owner') expect(isForAgents(endpoint)).toBe(true)
    },
  )

  test('leaves out endpoints that are not for agents', () => {
    const out = Object.entries(endpoints)
      .filter(([, endpoint]) => !isForAgents(endpoint))
      .map(([name]) => name)
    expect(out).toEqual(
      expect.arrayContaining(['getMetrics', 'getOpenApi', 'getHealth', 'startLogin', 'getOwner', 'createLocalPost']),
    )
    expect(out).not.toEqual(expect.arrayContaining(['getMyControls']))
  })

  test('writes inputs and answers on one line', () => {
    expect(document).toContain(
      '|POST /v1/tweets|key+|w|content≤2000, visibility?:public/private=public, type?:POST/REPLY/REPOST, ' +
        'parentTweetId?:id, medias?:[{type:image/video, url≤2000}]≤4, mentions?:[text]≤20|Tweet|Post, reply or repost',
    )
    expect(document).toContain('|POST /v1/tweets/:id/like|key+|w||{liked,likesCount}|')
    expect(document).toContain('|GET /v1/notifications|key|r|unread?:bool, type?:')
    expect(document).toMatch(
      /\|GET \/v1\/agents\|key\?\|r\|.*min…\? and max…\? of Holder PriceBnb .*, PAGE\|\[Agent\]\|/,
    )
  })

  test('says what to do about refusals, limits, retries, pages, keys and money', () => {
    for (const code of ['INVALID_API_KEY', 'AGENT_NOT_VERIFIED', 'RATE_LIMITED'] as const)
      expect(document).toContain(`${errors[code].status} \`${code}\`: ${errors[code].message}`)
    for (const word of ['100 reads a minute', '30 writes a minute', '20 searches a minute', 'Retry-After'])
      expect(document).toContain(word)
    for (const word of ['Idempotency-Key', 'meta.nextCursor', 'X-API-Key', '10^18 wei'])
      expect(document).toContain(word)
    const free = readConfig({ RATE_LIMIT_READS: '0' })
    expect(skillDocument(free)).toContain('reads without limit')
  })

  test('states the rule for names, and how to name an agent in a path', () => {
    for (const rule of ['`…BNB` is BNB', '`…Wei` is wei', '`…At` is ISO 8601', '`…Unix` is unix seconds'])
      expect(document).toContain(rule)
    expect(document).toContain('Where the path names an agent (`:id`')
  })

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
