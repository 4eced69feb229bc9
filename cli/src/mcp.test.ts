import { mkdirSync } from 'node:fs'
import { createClient } from '@rookery/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTerminal, runHere, temporaryFolder } from '../test/terminal.js'
import { chainPinsOf } from './chain-pins.js'
import { exitCodes } from './exit-codes.js'
import { UsageError } from './failures.js'
import { createLocalTools } from './mcp.js'
import { createPrivateFile } from './private-file.js'
import { encryptKey } from './wallets/keystore.js'
import { walletFolder, walletPath } from './wallets/store.js'

const HOME = temporaryFolder()
const PASSPHRASE = 'a long enough one'
const privateKey = generatePrivateKey()
const { address } = privateKeyToAccount(privateKey)
const limits = { tools: 'day', maxPerTrade: '0.1', maxPerDay: '0.5' } as const

beforeAll(async () => {
  const keystore = await encryptKey(privateKey, PASSPHRASE, { address, cost: { n: 2 ** 10, r: 8, p: 1 } })
  mkdirSync(walletFolder({ HOME }), { recursive: true })
  createPrivateFile(walletPath({ HOME }, 'nest'), JSON.stringify(keystore))
})

type Env = Readonly<Record<string, string>>

/** The tools that sign, and what was noted meanwhile. */
async function open(options: Omit<Parameters<typeof createLocalTools>[2], 'tools'>, env: Env = {}, wallet?: string) {
  const terminal = createTerminal({ env: { HOME, ...env } })
  const url = 'http://localhost:3000'
  const profile = wallet === undefined ? undefined : { url, wallet }
  const connection = { url, profileName: 'default', profile, apiKey: undefined, token: undefined }
  const tools = await createLocalTools(terminal, connection, { tools: 'day', ...options })
  return { tools: tools.map(({ tool }) => tool), noted: terminal.noted, calls: tools }
}

describe('rookery mcp with a stored wallet', () => {
  const ROOKERY_PASSPHRASE = PASSPHRASE

  test('signs with the one that an option, the environment or the profile names', async () => {
    for (const opening of [
      open({ ...limits, wallet: 'nest' }, { ROOKERY_PASSPHRASE }),
      open(limits, { ROOKERY_WALLET: 'nest', ROOKERY_PASSPHRASE }),
      open(limits, { ROOKERY_PASSPHRASE }, 'nest'),
    ]) {
      const { tools } = await opening
      expect(tools.map(({ name }) => name)).toEqual(['join', 'buy_shares', 'sell_shares'])
      for (const { description } of tools) expect(description).toContain(address)
    }
  })

  test('says what is missing without its passphrase, and asks nobody', async () => {
    await expect(open({ wallet: 'nest' })).rejects.toThrow('The passphrase of wallet nest is missing')
    await expect(open({}, { ROOKERY_WALLET: 'nest' })).rejects.toThrow('ROOKERY_PASSPHRASE')
    await expect(open(limits, {}, 'nest')).rejects.toThrow('--passphrase-file')
  })

  test('signs nothing, and still serves, if only the profile names it and there is no passphrase', async () => {
    expect(await open({}, {}, 'nest')).toMatchObject({ tools: [], noted: expect.stringContaining('nothing is signed') })
    expect(await open({})).toMatchObject({ tools: [], noted: '' })
  })

  test('takes limits only with a wallet, and only both', async () => {
    await expect(open(limits)).rejects.toThrow('pass --wallet or --key-file')
    await expect(open({ maxPerDay: '1', wallet: 'nest' })).rejects.toThrow('Pass both limits')
  })

  test('reads no passphrase from stdin, which is the protocol', async () => {
    const { exitCode, err } = await runHere(['mcp', '--wallet', 'nest', '--passphrase-stdin'], { env: { HOME } })
    expect(exitCode).toBe(exitCodes.usage)
    expect(err).toContain('Standard input is the protocol here')
  })
})

describe('rookery mcp with a pinned chain', () => {
  const env = { ROOKERY_PRIVATE_KEY: privateKey }
  const mine = `0x${'A1'.repeat(20)}`
  const theirs = `0x${'b2'.repeat(20)}` as const
  const chain = { id: 56, name: 'BNB', contract: theirs, rpcUrl: 'http://localhost:1', nativeCurrency: {} }
  const client = createClient({
    baseUrl: 'http://localhost',
    attempts: 1,
    // Nothing else needs an answer: the chain is refused first.
    fetch: async (url) =>
      String(url).endsWith('/v1/config') ? Response.json({ chain, features: {} }) : new Promise(() => {}),
  })
  const buy = async (options: object) => {
    const { calls } = await open({ ...limits, ...options }, env)
    const found = calls.find(({ tool }) => tool.name === 'buy_shares')
    return (await found?.call(client, { agentId: 'bob', amount: 1 }, {}, () => {}))?.structuredContent
  }

  test('trades with no other contract and on no other chain, whatever the service says', async () => {
    expect(await buy({ contract: mine })).toMatchObject({ code: 'WRONG_CONTRACT' })
    expect(await buy({ contract: theirs, chainId: '97' })).toMatchObject({ code: 'WRONG_CONTRACT' })
  })

  test('reads the options, and refuses what they cannot mean', async () => {
    const rpcUrl = 'https://node.example/key?x=1'
    expect(chainPinsOf({ rpcUrl, contract: mine, chainId: '56' }, { env: {} })).toEqual({
      rpcUrl,
      contract: mine.toLowerCase(),
      chainId: 56,
    })
    for (const wrong of [{ rpcUrl: 'node' }, { contract: '0x12' }, { chainId: '0x38' }, { chainId: '0' }])
      expect(() => chainPinsOf(wrong, { env: {} })).toThrow(UsageError)
    await expect(open({ contract: mine }, env)).rejects.toThrow('are for trades')
  })
})
