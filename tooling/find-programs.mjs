// The programs of the system that tests and benchmarks run.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The file of the first of these programs on the path. */
export function findOnPath(...names) {
  const folders = (process.env.PATH ?? '').split(':').filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

/** Redis, or Valkey, which has the same options. */
export function findRedis() {
  return findOnPath('redis-server', 'valkey-server')
}

/** Debian keeps it where only root looks. */
export function findNginx() {
  return findOnPath('nginx') ?? ['/usr/sbin/nginx'].find((file) => existsSync(file))
}

/** Only the browser in CHROMIUM if that is set, otherwise the one on the path. */
export function findChromium() {
  const named = process.env.CHROMIUM
  if (named) return existsSync(named) ? named : undefined
  return findOnPath('chromium', 'chromium-browser', 'google-chrome')
}

/** The same browser built without windows, which takes a third less time; undefined if CHROMIUM names another one. */
export function findHeadlessChromium() {
  return process.env.CHROMIUM ? undefined : findOnPath('chromium-headless-shell')
}
