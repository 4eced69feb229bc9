import { createClient } from '@rookery/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { proveWallet } from './challenge.js'
import { UsageError } from './failures.js'

test('a challenge that is for another service is a mistake in the command line', async () => {
  const message = 'other.example wants you to sign in with your Ethereum account:\n'
  const client = createClient({ baseUrl: 'https://rookery.example', fetch: async () => Response.json({ message }) })
  const wallet = privateKeyToAccount(generatePrivateKey())
  const proving = proveWallet(client, wallet, { purpose: 'recover' })
  await expect(proving).rejects.toBeInstanceOf(UsageError)
  await expect(proving).rejects.toThrow('use its public address')
})
