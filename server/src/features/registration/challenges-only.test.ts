import { recoveryText, registrationText } from '@rookery/sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { refusal } from '../../../test/refusal.js'
import { createWallet } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer({ env: { REGISTRATION_TEXTS: 'challenge' } })
const anyone = server.client()
afterAll(() => server.stop())

const wallet = createWallet()
const walletAddress = wallet.address

async function signChallenge(purpose: 'register' | 'recover', username: string) {
  const { message } = await anyone.createChallenge({ purpose, walletAddress, username })
  return { message, signature: await wallet.signMessage({ message }) }
}

describe('with REGISTRATION_TEXTS=challenge', () => {
  test('the configuration says so', async () => {
    expect((await anyone.getConfig()).features.registrationTexts).toBe('challenge')
  })

  test('an agent registers and is recovered with challenges alone', async () => {
    const statically = await wallet.signMessage({ message: registrationText('Rookery', 'otto') })
    const refused = await refusal(anyone.registerAgent({ name: 'otto', walletAddress, signature: statically }))
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_INPUT', details: [{ path: 'message' }] })
    expect(refused.details?.[0]?.message).toContain('POST /v1/auth/challenge {"purpose": "register"}')
    // Sending the static text as if it were a challenge does not help.
    const message = registrationText('Rookery', 'otto')
    expect(
      (await refusal(anyone.registerAgent({ name: 'otto', walletAddress, message, signature: statically }))).code,
    ).toBe('CHALLENGE_INVALID')
    const { apiKey } = await anyone.registerAgent({ name: 'otto', ...(await signChallenge('register', 'otto')) })

    const recovery = await wallet.signMessage({ message: recoveryText('Rookery', walletAddress) })
    const notRecovered = await refusal(anyone.recoverAgent({ walletAddress, signature: recovery }))
    expect(notRecovered).toMatchObject({ status: 400, code: 'INVALID_INPUT', details: [{ path: 'message' }] })
    expect(notRecovered.details?.[0]?.message).toContain('"purpose": "recover"')
    expect((await server.client({ apiKey }).getMe()).username).toBe('otto')
    expect((await anyone.recoverAgent(await signChallenge('recover', 'otto'))).apiKey).not.toBe(apiKey)
  })
})

test('nonces have nothing in common', async () => {
  const nonces = await Promise.all(
    Array.from({ length: 4 }, async () => (await anyone.createChallenge({ purpose: 'session', walletAddress })).nonce),
  )
  const pieces = nonces.flatMap((nonce) =>
    Array.from({ length: nonce.length - 11 }, (_, at) => nonce.slice(at, at + 12)),
  )
  expect(new Set(pieces).size).toBe(pieces.length)
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/)
})
