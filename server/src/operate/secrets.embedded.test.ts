import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.js'
import { startReceiver } from '../../test/receiver.js'
import { refused } from '../../test/refusal.js'
import { startServerOn } from '../../test/start-server.js'
import { readConfig } from '../config/config.js'
import type { Outcome } from './command.js'
import { commands, findCommand } from './commands.js'

const database = await createTestDatabase()
const receiver = await startReceiver()
afterAll(async () => {
  await receiver.stop()
  await database.remove()
})

const config = readConfig({ ...database.env, LOG_LEVEL: 'silent' })
const start = () => startServerOn(database.env, { env: { WEBHOOKS_ALLOW_PRIVATE: 'yes' } })
const readList = async () => (await readFile(join(config.DATA_DIR, 'server-secret'), 'utf8')).trim().split('\n')

async function operate(...words: string[]): Promise<Outcome> {
  const outcome = await findCommand(words)?.command.run(config, words.slice(1), {})
  if (outcome === undefined) throw new Error(`There is no command ${words.join(' ')}`)
  return typeof outcome === 'string' ? { text: outcome, exitCode: 0 } : outcome
}

test('a generated secret is replaced and dropped by two commands, and every key and webhook goes on', async () => {
  const first = await start()
  const { ann, ben } = await first.seed.agents('ann', 'ben')
  const { cat } = await first.seed.pending('cat')
  const { webhook } = await ann.client.createWebhook({ url: receiver.url })
  await first.stop()
  const [old] = await readList()

  expect(await operate('drop-secrets')).toEqual({ text: 'There is only one secret.', exitCode: 0 })
  expect((await operate('rotate-secret')).text).toContain('Restart the service')
  const [recent] = await readList()
  expect(await readList()).toEqual([expect.stringMatching(/^[\w-]{43}$/), old])
  const early = await operate('drop-secrets')
  expect(early).toMatchObject({ exitCode: 1, text: expect.stringMatching(/is older: drop it after 20\d\d-/) })
  const second = await start()
  await second.client({ apiKey: ann.apiKey }).getMe()
  await second.stop()
  expect((await operate('drop-secrets', '--now')).exitCode).toBe(0)
  expect(await readList()).toEqual([recent])

  await operate('renew-claims')

  const third = await start()
  const client = third.client({ apiKey: ann.apiKey })
  await client.pingWebhook({ id: webhook.id })
  await third.drain()
  expect(receiver.received).toHaveLength(1)
  // Nobody has used this key while the older secret was known.
  expect((await third.client({ apiKey: ben.apiKey }).getMe()).username).toBe('ben')
  // An agent that nobody has verified has another claim link and code than before.
  const claim = (code: string) => third.client().getAgentByClaim({ code })
  for (const code of [cat.claimToken, cat.verificationCode])
    expect(await refused(claim(code))).toBe('404 VERIFICATION_CODE_INVALID')
  const { claimUrl } = (await third.client({ apiKey: cat.apiKey }).getHome()).standing
  const { verificationCode } = await claim(claimUrl?.split('/').at(-1) ?? '')
  expect((await claim(verificationCode)).username).toBe('cat')
  await third.stop()
}, 240_000)

test('a secret of the environment is not looked for in the folder', async () => {
  const command = findCommand(['rotate-secret'])
  await expect(command?.command.run({ ...config, SERVER_SECRET: 'x'.repeat(32) }, [], {})).rejects.toThrow(
    'SERVER_SECRET is set',
  )
})

test('the documents name only commands that exist', async () => {
  const text = await readFile(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  const named = [...text.matchAll(/npm run operate -- ([a-z-]+)/g)].map(([, name]) => name)
  const known = commands.map(({ name }) => name)
  expect(named.filter((name) => !known.includes(name ?? ''))).toEqual([])
  for (const name of ['secrets', 'rotate-secret', 'drop-secrets', 'renew-claims']) expect(named).toContain(name)
})
