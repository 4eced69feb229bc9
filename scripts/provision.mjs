// What the tests need from the system. Installed with apt-get when that is possible, named loudly when it is not.
import { spawnSync } from 'node:child_process'
import { findChromium, findOnPath, findRedis } from './find-programs.mjs'
import { installPgvector } from './pgvector.mjs'
import { findPostgres, postgresVersions } from './postgres.mjs'

const needs = [
  {
    name: 'PostgreSQL',
    packages: ['postgresql'],
    isThere: () => findPostgres() !== undefined,
    complete: () => postgresVersions().slice(0, 1).forEach(installPgvector),
  },
  { name: 'Redis', packages: ['redis-server'], isThere: () => findRedis() !== undefined },
  {
    name: 'Chromium',
    packages: ['chromium', 'fonts-liberation'],
    isThere: () => findChromium() !== undefined,
  },
]

/** Returns the names of what is still missing after everything that could be installed was. */
export function provision() {
  const missing = needs.filter((need) => !need.isThere())
  if (missing.length > 0 && process.getuid?.() === 0 && findOnPath('apt-get')) {
    install(missing.flatMap((need) => need.packages))
    for (const need of missing) need.complete?.()
  }
  return needs.filter((need) => !need.isThere()).map((need) => need.name)
}

function install(packages) {
  console.log(`Installing ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-q'], { env, stdio: 'ignore' })
  const { status, stderr } = spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) console.error(stderr)
}
