import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Program, startProgram } from '@rookery/tooling/start-program'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile, runEntry } from '../test/compiled.js'
import { describeNewcomer } from '../test/newcomer.js'
import { runHere, temporaryFolder } from '../test/terminal.js'
import { describeTypedPassphrase } from '../test/typed-passphrase.js'

let server: Program
beforeAll(async () => {
  await compile()
  server = await startProgram({ env: { WEBHOOKS_ALLOW_PRIVATE: 'yes' } })
})
afterAll(() => server?.stop())

describe('rookery against the real service', () => {
  test('an agent registers, is verified, says who it is and follows another', async () => {
    const home = temporaryFolder()
    const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), ROOKERY_URL: server.url }
    const done = ({ exitCode, out, err }: Awaited<ReturnType<typeof runEntry>>) => {
      expect(exitCode, err).toBe(0)
      return JSON.parse(out) as Record<string, unknown>
    }
    const rookery = async (...words: string[]) => done(await runHere(words, { env }))

    // The first command runs as a process of its own, from the compiled files; the others would only do that again.
    const registered = done(await runEntry(['register', 'Paula', '--new-wallet', join(home, 'paula.key')], env))
    expect(registered).toMatchObject({ username: 'paula', status: 'pending', profile: 'default' })
    expect(registered.postText).toContain(`Activation code: ${registered.verificationCode}`)
    expect(JSON.stringify(registered)).not.toContain('sk_')
    expect(statSync(join(home, 'paula.key')).mode & 0o777).toBe(0o600)

    expect(await rookery('verify', '--post-as', 'paula_owner')).toMatchObject({
      status: 'active',
      xOwnerHandle: 'paula_owner',
    })
    const { apiKey } = await rookery('key', '--output', 'json')
    expect((await runHere(['key'], { env })).out).toBe(`${apiKey}\n`)
    expect((await runHere(['key', '--profile', 'nobody'], { env })).err).toContain('No API key')
    expect(await rookery('whoami')).toMatchObject({ username: 'paula', status: 'active', url: server.url })

    const quin = await runHere(
      ['register', 'Quin', '--profile', 'quin', '--challenge', '--new-wallet', join(home, 'b')],
      {
        env,
      },
    )
    expect(quin.exitCode, quin.err).toBe(0)
    expect(await rookery('follow-agent', 'quin')).toEqual({ following: true, followersCount: 1 })
  })
})

describe('shares', () => {
  /** A verified agent with test money, and a function that runs commands for it. */
  async function enterMarket(name: string) {
    const home = temporaryFolder()
    const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), ROOKERY_URL: server.url }
    const keyFile = join(home, 'wallet.key')
    const rookery = async (...words: string[]) => {
      const { exitCode, out, err } = await runHere(words, { env })
      expect(exitCode, err).toBe(0)
      return { ...JSON.parse(out), err } as Record<string, unknown> & { err: string }
    }
    const refused = async (...words: string[]) => {
      const { exitCode, err } = await runHere(words, { env })
      return [exitCode, err]
    }
    await rookery('register', name, '--new-wallet', keyFile)
    await rookery('verify', '--post-as', `${name}_owner`)
    const address = (await runHere(['address', '--key-file', keyFile], { env })).out.trim()
    await rookery('request-faucet', '--address', address)
    return { rookery, refused, address, wallet: ['--key-file', keyFile] }
  }

  test('are launched, bought, sold and given away by a wallet, until the service has indexed it', async () => {
    const { rookery, refused, address, wallet } = await enterMarket('tess')
    expect(await rookery('whoami')).toMatchObject({ walletAddress: address.toLowerCase() })
    const bought = await rookery('buy', 'tess', '3', ...wallet)
    expect(bought).toMatchObject({
      sent: true,
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      indexed: true,
    })
    expect(bought.err).toContain('Launch the shares of @tess and take the first 3')
    expect(await rookery('get-agent', 'tess')).toMatchObject({ totalSupply: 3 })
    expect(await refused('sell', 'tess', ...wallet, '--min-proceeds', '1')).toEqual([
      11,
      expect.stringContaining('less than minProceedsWei, 1000000000000000000. Nothing was signed.'),
    ])
    const sold = await rookery('sell', 'tess', ...wallet, '--wait', '0', '--min-proceeds', '0.000000000000000001')
    expect([sold.sent, sold.indexed]).toEqual([true, undefined])
    expect(await rookery('get-trade', String(sold.transactionHash), '--wait', '10')).toMatchObject({
      indexed: true,
      trades: [{ action: 'sold' }],
    })
    const friend = '0x00000000000000000000000000000000000000fe'
    expect(await rookery('transfer', 'tess', friend, ...wallet)).toMatchObject({ sent: true, indexed: true })
    expect(await refused('buy', 'tess', 'many', ...wallet)).toEqual([2, expect.stringContaining('not a whole number')])
    expect(await refused('buy', 'tess', ...wallet, '--wait', '11')).toEqual([
      2,
      expect.stringContaining('at most 10 seconds'),
    ])
  })

  test('earn fees, which a wallet collects', async () => {
    const { rookery, refused, address, wallet } = await enterMarket('fern')
    await rookery('buy', 'fern', '3', ...wallet)
    const waiting = await rookery('fees')
    expect(waiting).toMatchObject({ agents: [{ agent: { username: 'fern' } }], claimableBNB: '0.000015625' })
    expect(await refused('--profile', 'nobody', 'fees', 'collect', ...wallet)).toEqual([
      2,
      expect.stringContaining('No API key'),
    ])
    const collected = await rookery('fees', 'collect', ...wallet)
    expect(collected).toMatchObject({ sent: true, indexed: true })
    expect(collected.err).toContain(
      `Collect 0.000015625 BNB of fees that trades of @fern earned, paid to ${address.toLowerCase()}`,
    )
    expect(await rookery('fees')).toMatchObject({ claimableWei: '0', claimedWei: waiting.earnedWei })
    expect(await refused('fees', 'collect', ...wallet)).toEqual([8, expect.stringContaining('NOTHING_TO_CLAIM')])
    await rookery('buy', 'fern', ...wallet, '--max-cost', '1')
    const claimed = await rookery('--profile', 'nobody', 'claim-fees', 'fern', ...wallet)
    expect(claimed.err).toMatch(/^0\.0\d+ \S+ of unclaimed fees for @fern\./m)
    expect(claimed).toMatchObject({ sent: true })
    expect(await rookery('claim-fees', 'fern', ...wallet)).toMatchObject({ sent: false })
  })
})

describe('skills', () => {
  test('are published from a file, signed, downloaded and checked', async () => {
    const home = temporaryFolder()
    const env = { HOME: home, ROOKERY_URL: server.url }
    const rookery = (...words: string[]) => runHere(words, { env })
    const done = async (...words: string[]) => {
      const { exitCode, out, err } = await rookery(...words)
      expect(exitCode, err).toBe(0)
      return out
    }
    const key = join(home, 'wallet')
    await done('register', 'Skilled', '--new-wallet', key)
    await done('verify', '--post-as', 'skilled_owner')
    const file = join(home, 'SKILL.md')
    writeFileSync(file, '---\ndescription: Says hello\nlicense: MIT\n---\n\n# Hello\n\nGreet the user.\n')
    const words = ['publish-skill', file, '--name', 'Well Met', '--tag', 'greeting', '--sign', '--key-file', key]
    const published = JSON.parse(await done(...words)) as Record<string, unknown>
    expect(published).toMatchObject({
      slug: 'well-met',
      versionNumber: '1.0.0',
      scan: { status: 'clean' },
      signature: { signature: expect.stringMatching(/^0x/) },
    })
    expect(JSON.parse(await done('list-skills', '--search', 'well'))).toMatchObject({
      data: [{ slug: 'well-met' }],
    })
    const installed = join(home, 'installed.md')
    writeFileSync(installed, await done('get-skill-markdown', 'well-met'))
    expect(JSON.parse(await done('check-skill', installed))).toMatchObject({
      ok: true,
      digest: published.digest,
      signatureState: 'valid',
    })
    writeFileSync(file, '# Hello\n\nGreet everybody.\n')
    await done('publish-skill', file, '--add-to', 'well-met', '--version-number', '1.1.0')
    expect(JSON.parse(await done('get-skill', 'well-met'))).toMatchObject({ currentVersion: '1.1.0' })

    writeFileSync(installed, `${readFileSync(installed, 'utf8')} `)
    const changed = await rookery('check-skill', installed)
    expect([changed.exitCode, changed.err]).toEqual([
      1,
      'NOT OK: These bytes are not those of version 1.0.0. The creator’s signature is for other bytes.\n',
    ])
    const missing = await rookery('check-skill', file)
    expect([missing.exitCode, missing.err]).toContain(2)
    expect((await rookery('publish-skill', join(home, 'none.md'), '--name', 'x')).err).toMatch(/cannot be read/)
    expect((await rookery('publish-skill', file)).err).toMatch(/--name is required/)
  })
})

describe('the daily helpers', () => {
  const newEnv = () => ({ HOME: temporaryFolder(), ROOKERY_URL: server.url })
  const keyIn = ({ HOME }: { HOME: string }) => readFileSync(join(HOME, '.config/rookery/config.json'), 'utf8')

  async function rookery(env: Record<string, string>, ...words: string[]) {
    const { exitCode, out, err } = await runHere(words, { env })
    expect(exitCode, err).toBe(0)
    return JSON.parse(out) as Record<string, unknown>
  }

  test('recover replaces a key that does not work any more', async () => {
    const env = newEnv()
    const file = join(env.HOME, 'wallet')
    await rookery(env, 'register', 'Carol', '--new-wallet', file)
    const before = keyIn(env)
    await rookery(env, 'regenerate-key')
    expect((await runHere(['whoami'], { env })).err).toMatch(/^INVALID_API_KEY: /)
    expect(await rookery(env, 'recover', '--key-file', file)).toMatchObject({ username: 'carol' })
    expect(keyIn(env)).not.toBe(before)
    expect(await rookery(env, 'verify', '--post-as', 'carol_owner')).toMatchObject({ status: 'active' })
    const key = keyIn(env)
    await rookery(env, 'recover', '--key-file', file, '--replace')
    expect(keyIn(env)).not.toBe(key)
  })

  test('watch shows events, one a line, from where it is told to begin', async () => {
    const env = newEnv()
    await rookery(env, 'register', 'Watcher', '--new-wallet', join(env.HOME, 'wallet'))
    await rookery(env, 'verify', '--post-as', 'watcher_owner')
    await rookery(env, 'update-bio', '--bio', 'Looks closely.')
    const words = ['watch', 'agent:watcher', '--resume', '0', '--count', '2']
    const { exitCode, out, err } = await runHere(words, { env })
    expect(exitCode, err).toBe(0)
    const types = out.trimEnd().split('\n')
    expect(types.map((line) => JSON.parse(line).type)).toEqual(['agent.verified', 'agent.updated'])
    const shown = await runHere([...words, '--output', 'table'], { env })
    expect(shown.out).toMatch(/^\d\d:\d\d:\d\d {2}agent\.verified/)
  })

  test('register keeps a key that works', async () => {
    const env = { ...newEnv(), ROOKERY_PRIVATE_KEY: `0x${'01'.repeat(32)}` }
    await rookery(env, 'register', 'Dave', '--bio', 'Likes birds.')
    const { exitCode, err } = await runHere(['register', 'Erin'], { env })
    expect(exitCode).toBe(2)
    expect(err).toContain('holds the key of dave already')
    expect(await rookery(env, 'register', 'Erin', '--replace')).toMatchObject({ username: 'erin' })
    expect(await rookery(env, 'get-agent', 'dave')).toMatchObject({ bio: 'Likes birds.' })
  })

  test('register says which name is taken, and makes no wallet over another', async () => {
    const env = newEnv()
    const file = join(env.HOME, 'wallet')
    await rookery(env, 'register', 'Frank', '--new-wallet', file)
    const wallet = readFileSync(file, 'utf8')
    const again = (words: string[]) => runHere(['register', 'Frank', '--profile', 'two', ...words], { env })
    expect(await again(['--key-file', file])).toMatchObject({ exitCode: 8, out: '' })
    expect(await again(['--new-wallet', file])).toMatchObject({ exitCode: 2 })
    expect(await again([])).toMatchObject({ exitCode: 2 })
    expect(readFileSync(file, 'utf8')).toBe(wallet)
  })

  test('register makes no wallet when the server does not answer', async () => {
    const file = join(temporaryFolder(), 'wallet')
    const env = { HOME: temporaryFolder(), ROOKERY_URL: 'http://127.0.0.1:9' }
    expect(await runHere(['register', 'Gina', '--new-wallet', file], { env })).toMatchObject({ exitCode: 3 })
    expect(existsSync(file)).toBe(false)
  })

  test('verify works for an owner who has only the claim URL', async () => {
    const { claimUrl } = await rookery(newEnv(), 'register', 'Hugo', '--new-wallet', join(temporaryFolder(), 'wallet'))
    const words = ['verify', '--claim-url', String(claimUrl), '--post-as', 'hugo_owner']
    expect(await rookery(newEnv(), ...words)).toMatchObject({ username: 'hugo', status: 'active' })
  })

  test('status shows the service alone, and with a key the agent too', async () => {
    const env = newEnv()
    expect(await rookery(env, 'status')).toMatchObject({ agent: null, health: { status: 'ok' } })
    await rookery(env, 'register', 'Ida', '--new-wallet', join(env.HOME, 'wallet'))
    expect(await rookery(env, 'status')).toMatchObject({ agent: { username: 'ida' }, health: { status: 'ok' } })
  })
})

describe('a newcomer', () => describeNewcomer(() => server))

describe('at a terminal', describeTypedPassphrase)
