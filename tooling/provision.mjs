// What tests and benchmarks need from the system. Installs it with apt-get if possible, and names what is missing.
// As a command: npm run provision [-- PostgreSQL]
import { spawnSync } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findChromium, findHeadlessChromium, findNginx, findOnPath, findRedis } from './find-programs.mjs'
import { hasNodes } from './node-versions.mjs'
import { fetchNewPgbouncer, findPgbouncer } from './pgbouncer.mjs'
import { installPgvector } from './pgvector.mjs'
import { findPostgres, postgresVersions } from './postgres.mjs'

const needs = [
  {
    name: 'PostgreSQL',
    packages: ['postgresql'],
    isThere: () => findPostgres() !== undefined,
    complete: () => postgresVersions().slice(0, 1).forEach(installPgvector),
  },
  {
    // Both generations: with an account of named statements, and without.
    name: 'PgBouncer',
    packages: ['pgbouncer'],
    isThere: () => ['old', 'new'].every(findPgbouncer),
    complete: fetchNewPgbouncer,
  },
  // The proxy of compose.yaml.
  { name: 'nginx', packages: ['nginx-light'], isThere: () => findNginx() !== undefined },
  { name: 'Redis', packages: ['redis-server'], isThere: () => findRedis() !== undefined },
  {
    name: 'Chromium',
    packages: ['chromium', 'fonts-liberation'],
    isThere: () => findChromium() !== undefined,
  },
  {
    // Tests of the page are faster with it, and run without it.
    name: 'Chromium without windows',
    packages: ['chromium-headless-shell'],
    isThere: () => Boolean(process.env.CHROMIUM ?? findHeadlessChromium()),
    isOptional: true,
  },
  { name: 'Node 20.19, 22 and 24', isThere: hasNodes, fetch: fetchNodes },
]

/** Says what to do where this program must not install anything. */
export const INSTALL_COMMAND =
  'On Debian, "sudo npm run provision" installs it; elsewhere, install PostgreSQL 15 or newer with pgvector 0.8 or newer.'

/** Whether packages can be installed: as root, with apt-get. */
export function canInstall() {
  return process.getuid?.() === 0 && findOnPath('apt-get') !== undefined
}

/** Installs what it can, and returns the names of what is still missing. */
export function provision(names = needs.map((need) => need.name)) {
  const wanted = needs.filter((need) => names.includes(need.name))
  const missing = wanted.filter((need) => !need.isThere())
  for (const need of missing) need.fetch?.()
  const isInstalling = canInstall()
  // One that the system does not offer would keep the others from being installed with it.
  for (const group of [missing.filter((need) => !need.isOptional), missing.filter((need) => need.isOptional)]) {
    const packages = group.flatMap((need) => need.packages ?? [])
    if (packages.length === 0 || !isInstalling) continue
    install(packages)
    for (const need of group) need.complete?.()
  }
  return wanted.filter((need) => !need.isOptional && !need.isThere()).map((need) => need.name)
}

// From the package registry, which needs no root. Fetches all at once, synchronously.
function fetchNodes() {
  console.log('Fetching other versions of Node …')
  spawnSync(process.execPath, [fileURLToPath(new URL('node-versions.mjs', import.meta.url))], { stdio: 'inherit' })
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const names = process.argv.slice(2)
  const missing = provision(names.length === 0 ? undefined : names)
  if (missing.length === 0) console.log('Everything is installed.')
  else console.error(`Missing: ${missing.join(', ')}. Run this as root on Debian, or install them yourself.`)
  process.exitCode = missing.length === 0 ? 0 : 1
}
