import { createClient } from '@rookery/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { afterEach, describe, expect, test } from 'vitest'
import { startEchoServer } from '../test/echo-server.js'
import { signChallenge } from './challenge.js'

let server: Awaited<ReturnType<typeof startEchoServer>> | undefined
afterEach(() => server?.close())

const wallet = privateKeyToAccount(generatePrivateKey())
const textFor = (domain: string) =>
  createSiweMessage({
    domain,
    address: wallet.address,
    uri: `http://${domain}`,
    version: '1',
    chainId: 56,
    nonce: 'abcdefgh12345678',
  })

async function sign(domainOf: (host: string) => string) {
  server = await startEchoServer(({ headers }) => ({ body: { message: textFor(domainOf(headers.host ?? '')) } }))
  return signChallenge(createClient({ baseUrl: server.url }), wallet, { purpose: 'recover' })
}

describe('signChallenge', () => {
  test('signs a text of the server in use', async () => {
    const { walletAddress, signature } = await sign((host) => host)
    expect([walletAddress, signature]).toEqual([wallet.address, expect.stringMatching(/^0x[0-9a-f]{130}$/)])
  })

  test('knows this machine by all its names', async () => {
    await expect(sign((host) => host.replace('127.0.0.1', 'localhost'))).resolves.toBeDefined()
  })

  test('signs nothing that another server could use', async () => {
    await expect(sign(() => 'rookery.example')).rejects.toThrow('Not signed: the text is for rookery.example')
  })
})
