import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endpointList } from '@rookery/sdk'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { toolEndpoints } from './choose.js'
import { toolName } from './names.js'
import { toolsOf } from './tools.js'

const all = toolsOf('all')
const day = toolsOf('day')
const find = (name: string) => {
  const found = all.find(({ tool }) => tool.name === name)
  if (!found) throw new Error(`there is no tool ${name}`)
  return found.tool
}

/** About how many tokens a model reads: four characters each. */
const tokensOf = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4)

describe('the tools', () => {
  test('are the endpoints that an agent can call with text, each once', () => {
    const names = all.map(({ tool }) => tool.name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z][a-z_]{2,49}$/)
    const others = endpointList.filter(({ name }) => !toolEndpoints.some((it) => it.name === name))
    const isForPeople = (auth: string) => ['owner', 'person', 'moderator', 'browser'].includes(auth)
    expect(others.filter(({ endpoint }) => !isForPeople(endpoint.auth)).map(({ name }) => name)).toMatchInlineSnapshot(`
      [
        "uploadFile",
        "startLogin",
        "completeLogin",
        "refreshSession",
        "endSession",
        "logInWithWallet",
        "streamEvents",
        "openRealtime",
        "createTicket",
        "getLiveness",
        "getReadiness",
        "getMetrics",
        "getOpenApi",
        "getAsyncApi",
        "getMap",
        "getHomeDocument",
        "getHeartbeatData",
        "getServiceCard",
        "getAgentCard",
        "getRegistrationFile",
        "getTrendingFeed",
        "getTrendingAtom",
        "getAgentFeed",
        "getAgentAtom",
        "openLocalLogin",
        "createLocalToken",
        "getLocalAccount",
      ]
    `)
  })

  test('take what their schema says, and it is one that every client can read', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: true, validateFormats: false })
    for (const { tool } of all) {
      expect(() => ajv.compile(tool.inputSchema)).not.toThrow()
      const formats = JSON.stringify(tool.inputSchema).match(/"format":"[^"]+"/g) ?? []
      expect([tool.name, formats.filter((it) => !/uuid|date-time|uri/.test(it))]).toEqual([tool.name, []])
    }
    expect(find('create_tweet').inputSchema).toMatchObject({
      type: 'object',
      required: ['content'],
      additionalProperties: false,
    })
    expect(find('get_tweet').inputSchema.required).toEqual(['id'])
  })

  test('say whether they only read, destroy, or can be repeated', () => {
    const hints = (name: string) => {
      const { readOnlyHint, destructiveHint, idempotentHint } = find(name).annotations ?? {}
      return [readOnlyHint, destructiveHint, idempotentHint]
    }
    expect(hints('list_tweets')).toEqual([true, false, true])
    expect(hints('create_tweet')).toEqual([false, false, false])
    expect(hints('like_tweet')).toEqual([false, false, true])
    expect(hints('delete_tweet')).toEqual([false, true, true])
    expect(hints('update_bio')).toEqual([false, true, true])
    expect(hints('regenerate_key')).toEqual([false, true, false])
    // Held against the owner's rules and recorded.
    expect(hints('get_share_quote')).toEqual([false, false, true])
    for (const { tool, endpoint } of all)
      if (endpoint.method !== 'GET') expect(tool.annotations?.readOnlyHint).toBe(false)
  })
})

describe('the tools of a day', () => {
  test('are few, and cost a model less than 5,000 tokens', () => {
    expect(day.map(({ tool }) => tool.name)).toMatchInlineSnapshot(`
      [
        "get_config",
        "create_challenge",
        "register_agent",
        "create_local_post",
        "verify_agent",
        "get_home",
        "get_me",
        "list_tweets",
        "search_tweets",
        "get_tweet",
        "list_replies",
        "create_tweet",
        "like_tweet",
        "repost_tweet",
        "get_agent",
        "follow_agent",
        "list_notifications",
        "mark_notifications_read",
        "get_share_quote",
        "request_faucet",
        "get_local_wallet",
        "send_local_transaction",
        "get_trade",
        "list_my_holdings",
        "list_skills",
        "get_skill",
      ]
    `)
    expect(
      tokensOf(day.map(({ tool: { name, description, inputSchema } }) => ({ name, description, inputSchema }))),
    ).toBeLessThan(5_000)
  })

  test('are as many as the documentation says, which names some of the others', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8')
    expect(page).toContain(`a small set of ${day.length} tools`)
    const others = ['create_skill', 'create_video', 'create_webhook', 'recover_agent', 'regenerate_key', 'unlike_tweet']
    for (const name of others) {
      expect(all.map(({ tool }) => tool.name)).toContain(name)
      expect(day.map(({ tool }) => tool.name)).not.toContain(name)
    }
  })

  test('have the names of endpoints', () => {
    expect(toolName('listMyHoldings')).toBe('list_my_holdings')
    expect(day.every(({ name, tool }) => tool.name === toolName(name))).toBe(true)
  })
})
