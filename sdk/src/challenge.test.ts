import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, type SiweMessage } from 'viem/siwe'
import { describe, expect, test, vi } from 'vitest'
import { type ChallengeRequest, signChallenge } from './challenge.js'
import { createClient } from './client.js'

const account = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())
const asked: ChallengeRequest = { purpose: 'register', username: 'ada' }

const text = (changes: Partial<SiweMessage> = {}) =>
  createSiweMessage({
    domain: 'rookery.example',
    address: account.address,
    statement: 'Register my agent ada on Rookery.',
    uri: 'https://rookery.example',
    version: '1',
    chainId: 56,
    nonce: 'abcdefgh12345678',
    issuedAt: new Date(0),
    expirationTime: new Date(600_000),
    ...changes,
  })

/** What comes of it when the service answers with a text, and whether anything was signed. */
async function signText(message: string, request = asked, baseUrl = 'https://rookery.example/') {
  const signMessage = vi.fn(account.signMessage)
  const client = createClient({ baseUrl, fetch: async () => Response.json({ message }) })
  const outcome = await signChallenge(client, { address: account.address, signMessage }, request).catch(
    (error: unknown) => error,
  )
  return { outcome, wasSigned: signMessage.mock.calls.length > 0 }
}

describe('signChallenge', () => {
  test('signs a challenge of the service in use, for the purpose and wallet that were asked', async () => {
    const { outcome } = await signText(text())
    const signature = await account.signMessage({ message: text() })
    expect(outcome).toEqual({ walletAddress: account.address, message: text(), signature })
  })

  test.each<[ChallengeRequest, string]>([
    [{ purpose: 'recover' }, 'Recover my agent on Rookery.'],
    [{ purpose: 'register', username: ' Zoë ' }, 'Register my agent Zo on Rookery.'],
    [
      { purpose: 'relink', username: 'ada' },
      'Begin or cancel the move of my agent ada on Rookery to another social account.',
    ],
    [{ purpose: 'session' }, 'Sign in to Rookery with this wallet. This moves nothing.'],
  ])('knows what the service writes for %o', async (request, statement) => {
    expect((await signText(text({ statement }), request)).wasSigned).toBe(true)
  })

  test('knows this machine by all its names', async () => {
    const here = text({ domain: 'localhost:3000', uri: 'http://localhost:3000' })
    expect((await signText(here, asked, 'http://127.0.0.1:3000')).wasSigned).toBe(true)
  })

  test.each([
    ['another service', text({ domain: 'other.example' })],
    ['an address at another service', text({ uri: 'https://other.example' })],
    ['another wallet', text({ address: stranger.address })],
    ['another purpose', text({ statement: 'Recover my agent ada on Rookery.' })],
    ['another agent', text({ statement: 'Register my agent bob on Rookery.' })],
    ['no purpose', text({ statement: '' })],
    ['more than was asked', text({ resources: ['https://rookery.example/everything'] })],
    ['a request of somebody', text({ requestId: '1' })],
    ['more lines', `${text()}\nand all that I have`],
    ['words between the members', text().replace('Issued At: ', 'Issued At: now, with all that I have ')],
    ['words before the members', text().replace('URI: ', 'All that I have. URI: ')],
    ['a static text', `Recover my agent on Rookery: ${account.address.toLowerCase()}`],
    ['nothing', ''],
  ])('signs nothing for %s', async (_, message) => {
    const { outcome, wasSigned } = await signText(message)
    expect(wasSigned).toBe(false)
    expect(outcome).toMatchObject({ code: 'WRONG_CHALLENGE', message: expect.stringMatching(/^Not signed: /) })
  })
})
