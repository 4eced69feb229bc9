import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { UsageError } from './failures.js'
import { findPrivateFile, replacePrivateFile } from './private-file.js'
import { isRecord } from './values.js'

/** An agent's account at one server. */
export interface Profile {
  readonly url: string
  readonly apiKey?: string
  readonly username?: string
  readonly claimUrl?: string
  /** The stored wallet that the agent was registered with. */
  readonly wallet?: string
}

type Env = Readonly<Record<string, string | undefined>>

const LOCK_TRIES = 100
const LOCK_WAIT_MS = 50

export function configPath(env: Env): string {
  const base = env.XDG_CONFIG_HOME
  return join(base && isAbsolute(base) ? base : join(env.HOME || homedir(), '.config'), 'rookery', 'config.json')
}

export function findProfile(env: Env, name: string): Profile | undefined {
  const profiles = readProfiles(env)
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

/** Stores a profile, or removes it when it is undefined. */
export async function saveProfile(env: Env, name: string, profile: Profile | undefined): Promise<void> {
  const path = configPath(env)
  openFolder(dirname(path))
  const unlock = await lock(path)
  try {
    const { [name]: _, ...others } = readProfiles(env)
    const profiles = profile ? { ...others, [name]: profile } : others
    replacePrivateFile(path, `${JSON.stringify({ profiles }, null, 2)}\n`)
  } finally {
    unlock()
  }
}

function readProfiles(env: Env): Readonly<Record<string, Profile>> {
  const path = configPath(env)
  const text = findPrivateFile(path)
  if (text === undefined) return {}
  const config = parse(text)
  if (!isRecord(config) || !isRecord(config.profiles) || !Object.values(config.profiles).every(isProfile))
    throw new UsageError(`${path} is not a list of profiles. Repair or remove it.`)
  return config.profiles as Readonly<Record<string, Profile>>
}

function isProfile(value: unknown): value is Profile {
  return isRecord(value) && typeof value.url === 'string'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export function openFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    chmodSync(path, 0o700)
  } catch (error) {
    throw new UsageError(`${path} cannot be used: ${(error as Error).message}`)
  }
}

// Without it, two processes storing at the same time could lose a key that is shown only once.
export async function lock(path: string): Promise<() => void> {
  const held = `${path}.lock`
  for (let attempt = 1; attempt <= LOCK_TRIES; attempt++) {
    try {
      mkdirSync(held)
      return () => rmSync(held, { recursive: true, force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      await wait(LOCK_WAIT_MS)
    }
  }
  throw new UsageError(`Another rookery holds ${held}. Remove it if none is running.`)
}
