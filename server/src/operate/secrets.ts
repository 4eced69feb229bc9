import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { writeWhole } from '@rookery/host'
import { type Config, ConfigError } from '../config/config.js'
import type { Deps } from '../deps.js'
import { withLongTimeouts } from '../foundation/db/db.js'
import { KEPT_MS } from '../foundation/idempotency.js'
import { listSecretRecords, renewClaims, type SecretRecord } from '../foundation/secret-list.js'
import { listSecrets, readOrMakeSecret } from '../foundation/secrets.js'
import { type Command, withDeps } from './command.js'

/** Answers to an Idempotency-Key are what an older secret is needed for the longest. */
const NEEDED_MS = KEPT_MS + 60 * 60_000

export const showSecrets: Command = {
  name: 'secrets',
  arguments: [],
  summary: 'seal everything with the newest secret, and say which older ones can be dropped',
  run: async (config) => (await settleSecrets(config)).text,
}

export const rotateSecret: Command = {
  name: 'rotate-secret',
  arguments: [],
  summary: 'put a new secret in front of the generated one in DATA_DIR',
  async run(config) {
    requireGenerated(config)
    const list = listSecrets(await readOrMakeSecret(config.DATA_DIR))
    await writeList(config, [randomBytes(32).toString('base64url'), ...list])
    return 'There is a new secret; the older is still accepted. Restart the service.'
  },
}

export const dropSecrets: Command = {
  name: 'drop-secrets',
  arguments: ['[--now]'],
  summary: 'leave only the newest secret in DATA_DIR, once nothing needs the others',
  async run(config, [option]) {
    requireGenerated(config)
    if (option !== undefined && option !== '--now') throw new ConfigError(`${option} is not an option of drop-secrets.`)
    const [newest = '', ...older] = listSecrets(await readOrMakeSecret(config.DATA_DIR))
    if (older.length === 0) return 'There is only one secret.'
    const { text, dependents, neededUntil } = await settleSecrets(config)
    if (dependents.length > 0 || (neededUntil && option !== '--now')) return { text, exitCode: 1 }
    await writeList(config, [newest])
    return 'Only the newest secret is left. Restart the service.'
  },
}

export const renewClaimLinks: Command = {
  name: 'renew-claims',
  arguments: [],
  summary: 'give agents that nobody has verified new claim links and codes, while the service is stopped',
  run: (config) =>
    withDeps(config, async (deps) => {
      const { db } = deps
      await requireStopped(deps)
      const { replaceCodes } = await import('../features/agents/verification-codes.js')
      const given = config.SERVER_SECRET ?? (await readOrMakeSecret(config.DATA_DIR))
      await replaceCodes({ db: withLongTimeouts(db), secrets: await renewClaims(db, given) })
      return 'The claim links and verification codes until now count no more. Start the service.'
    }),
}

// An instance that runs goes on with the old key: it would accept what is to count no more, and give out what nobody accepts later.
async function requireStopped(deps: Deps): Promise<void> {
  const { listInstances } = await import('../foundation/peers/instances.js')
  const alive = (await listInstances(deps)).filter(({ isAlive }) => isAlive)
  if (alive.length === 0) return
  const names = alive.map(({ id, host }) => `${id}${host === null ? '' : ` on ${host}`}`)
  throw new ConfigError(`Stop all instances first, and wait five seconds: ${names.join(', ')}.`)
}

interface Settled {
  readonly text: string
  readonly dependents: readonly string[]
  /** Until when signatures and stored answers of older secrets are of use; undefined when they are not. */
  readonly neededUntil: Date | undefined
}

function settleSecrets(config: Config): Promise<Settled> {
  return withDeps(config, async (deps) => {
    const { findDependents, resealAll } = await import('../start/sealed.js')
    const resealed = await resealAll(deps)
    const { ids } = deps.secrets
    const [newest = ''] = ids
    const dependents = await findDependents(deps.db, [newest])
    const records = (await listSecretRecords(deps.db)).filter(({ id }) => id !== newest)
    const ends = records.map(({ replacedAt }) => (replacedAt?.getTime() ?? 0) + NEEDED_MS)
    const end = new Date(Math.max(0, ...ends))
    const neededUntil = end > deps.clock.now() ? end : undefined
    const lines = [
      `${resealed} secrets of webhooks and addresses of browsers are newly sealed.`,
      `${newest} is the newest.`,
      ...records.map((record) => lineOf(record, dependents, neededUntil)),
    ]
    return { text: lines.join('\n'), dependents, neededUntil }
  })
}

function lineOf({ id }: SecretRecord, dependents: readonly string[], neededUntil: Date | undefined): string {
  if (dependents.length > 0)
    return `${id} is older and needed: ${dependents.join(' and ')} cannot be opened with the newest.`
  if (neededUntil)
    return `${id} is older: drop it after ${neededUntil.toISOString()}, when no signature or stored answer of it is of use.`
  return `${id} is older and can be dropped.`
}

function requireGenerated({ SERVER_SECRET }: Config): void {
  if (SERVER_SECRET)
    throw new ConfigError('SERVER_SECRET is set, so change it there: docs/operating.md says in which steps.')
}

function writeList({ DATA_DIR }: Config, list: readonly string[]): Promise<void> {
  return writeWhole(join(DATA_DIR, 'server-secret'), `${list.join('\n')}\n`)
}
