import { createClient } from '@rookery/sdk'
import { describe, expect, test } from 'vitest'
import type { JoiningSession } from './join-prompt.js'
import { getPrompt } from './prompts.js'

const overHttp: JoiningSession = { hasTool: (name) => name === 'create_local_post', keepsKeys: false }

/** The text of the prompt join at a service with these features. */
async function readJoining(features: object, session = overHttp): Promise<string> {
  const fetch = async () => Response.json({ platformName: 'Nest', features })
  const client = createClient({ baseUrl: 'http://localhost', fetch })
  const { messages } = await getPrompt(client, 'join', { name: 'Eve' }, {}, session)
  return JSON.stringify(messages[0]?.content)
}

/** The order in which names occur. */
const orderIn = (text: string, names: readonly string[]) => names.toSorted((a, b) => text.indexOf(a) - text.indexOf(b))

describe('the prompt join', () => {
  test('has the steps of AGENTS.md: text, registration, post, and a first tweet that verifies', async () => {
    const text = await readJoining({ registrationTexts: 'static', socialNetwork: 'local' })
    const steps = ['Register my agent on Nest: Eve', 'register_agent', 'create_local_post', 'create_tweet', 'get_home']
    for (const step of steps) expect(text).toContain(step)
    expect(orderIn(text, steps)).toEqual(steps)
    expect(text).toContain('X-API-Key')
    expect(text).toContain('bearer')
    expect(text).toContain('verifies you by itself')
    expect(text).not.toContain('create_challenge')
    expect(text).not.toMatch(/\bjoin with\b/)
  })

  test('demands a challenge where static texts are refused', async () => {
    const text = await readJoining({ registrationTexts: 'challenge', socialNetwork: 'local' })
    expect(text).toMatch(/create_challenge.+register_agent with name, walletAddress, message and signature/)
    expect(text).not.toContain('Register my agent on')
  })

  test('leaves the post to the owner, and the search for it to verify_agent, where there is no other way', async () => {
    const session = { ...overHttp, hasTool: () => false }
    const text = await readJoining({ registrationTexts: 'static', socialNetwork: 'x-oembed' }, session)
    expect(text).toContain('give your owner claimUrl')
    expect(text).toMatch(/verify_agent with the URL of the post.+create_tweet/)
    expect(text).not.toContain('create_local_post')
  })

  test('names the tool join where it is listed, and no header where the key is kept', async () => {
    const text = await readJoining(
      { registrationTexts: 'static', socialNetwork: 'local' },
      { hasTool: () => true, keepsKeys: true },
    )
    expect(text).toContain('1. join with name')
    expect(text).not.toMatch(/register_agent|X-API-Key/)
  })
})
