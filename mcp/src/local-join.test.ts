import { createClient, recoveryText } from '@rookery/sdk'
import { expect, test } from 'vitest'
import { createJoinTool } from './local-join.js'
import type { Wallet } from './local-trades.js'

const address = `0x${'1'.repeat(40)}` as const
const recovery = [
  'rookery.example wants you to sign in with your Ethereum account:',
  address,
  '',
  'Recover my agent ada on Rookery.',
  '',
  'URI: https://rookery.example',
  'Version: 1',
  'Chain ID: 56',
  'Nonce: abcdefgh12345678',
  'Issued At: 2026-01-01T00:00:00.000Z',
  'Expiration Time: 2026-01-01T00:10:00.000Z',
].join('\n')

test.each([
  ['a challenge to recover', recovery],
  ['the static text to recover', recoveryText('Rookery', address)],
])('join signs nothing when the service asks for %s', async (_, message) => {
  const signed: unknown[] = []
  const called: string[] = []
  const signMessage = async (text: unknown) => {
    signed.push(text)
    return '0x' as const
  }
  const client = createClient({
    baseUrl: 'https://rookery.example',
    fetch: async (url) => {
      called.push(new URL(String(url)).pathname)
      return Response.json({ message })
    },
  })
  const keyStore = { check: async () => {}, keep: async () => '' }
  const tool = createJoinTool({ address, signMessage } as unknown as Wallet, keyStore)
  const result = await tool.call(client, { name: 'ada' }, {}, () => {})
  expect(result).toMatchObject({ isError: true, structuredContent: { code: 'WRONG_CHALLENGE' } })
  expect([signed, called.length]).toEqual([[], 1])
})
