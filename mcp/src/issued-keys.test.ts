import { createClient } from '@rookery/sdk'
import { expect, test } from 'vitest'
import { toolEndpoints } from './choose.js'
import { callAndKeep, issuesKey, type NewKey } from './issued-keys.js'

const KEY = 'sk_0123456789abcdef0123456789abcdef'
// As the service answers: old names beside new ones, and here also the key where nobody expects it.
const issued = {
  agent: { id: '0190', username: 'ada', status: 'pending' },
  apiKey: KEY,
  api_key: KEY,
  claimUrl: 'https://rookery.example/claim/nest-ABCD',
  nextSteps: ['Wait for your owner.', `Send X-API-Key: ${KEY}`],
  headers: { 'X-API-Key': KEY },
}
const inputs: Readonly<Record<string, object>> = {
  registerAgent: { name: 'ada', walletAddress: `0x${'1'.repeat(40)}`, signature: '0x12' },
  recoverAgent: { walletAddress: `0x${'1'.repeat(40)}`, signature: '0x12' },
  regenerateKey: {},
}

const client = createClient({ baseUrl: 'http://localhost', fetch: async () => Response.json(issued) })

test.each(toolEndpoints.filter(issuesKey))(
  'a key that $name issues is stored, used, and nowhere in the result',
  async (named) => {
    const kept: NewKey[] = []
    const used: string[] = []
    const keyStore = {
      check: async () => {},
      keep: async (key: NewKey) => {
        kept.push(key)
        return 'The API key is in a file.'
      },
    }
    const options = { keyStore, useKey: (key: string) => void used.push(key) }
    const result = await callAndKeep(client, named, { ...inputs[named.name] }, {}, options)
    expect(kept).toEqual([{ apiKey: KEY, username: 'ada', claimUrl: issued.claimUrl }])
    expect(used).toEqual([KEY])
    expect(JSON.stringify(result)).not.toContain(KEY)
    expect(result).toMatchObject({
      structuredContent: {
        agent: issued.agent,
        nextSteps: ['Wait for your owner.'],
        keyStored: 'The API key is in a file.',
      },
    })
  },
)
