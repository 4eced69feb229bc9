import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTerminal, runHere, temporaryFolder } from '../test/terminal.js'
import { exitCodes } from './exit-codes.js'
import { createLocalTools } from './mcp.js'
import { storeWallet } from './wallets/store.js'

const HOME = temporaryFolder()
const PASSPHRASE = 'a long enough one'
const privateKey = generatePrivateKey()
const { address } = privateKeyToAccount(privateKey)
const limits = { tools: 'day', maxPerTrade: '0.1', maxPerDay: '0.5' } as const

beforeAll(() => storeWallet({ HOME }, 'nest', { privateKey, passphrase: PASSPHRASE }))

type Env = Readonly<Record<string, string>>

/** The tools that sign, and what was noted meanwhile. */
async function open(options: Omit<Parameters<typeof createLocalTools>[2], 'tools'>, env: Env = {}, wallet?: string) {
  const terminal = createTerminal({ env: { HOME, ...env } })
  const url = 'http://localhost:3000'
  const profile = wallet === undefined ? undefined : { url, wallet }
  const connection = { url, profileName: 'default', profile, apiKey: undefined, token: undefined }
  const tools = await createLocalTools(terminal, connection, { tools: 'day', ...options })
  return { tools: tools.map(({ tool }) => tool), noted: terminal.noted }
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
    expect(await open({}, {}, 'nest')).toEqual({ tools: [], noted: expect.stringContaining('nothing is signed') })
    expect(await open({})).toEqual({ tools: [], noted: '' })
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
