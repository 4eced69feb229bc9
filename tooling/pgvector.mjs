// pgvector for the PostgreSQL that the tests use: the distribution's package, or built from Debian's own source.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must, otherRelease } from './debian.mjs'

// The first version with iterative index scans, without which a filtered search returns too few rows.
const OLDEST = [0, 8]
// The first release of Debian whose source package is new enough.
const SOURCE_RELEASE = 'trixie'

/** Whether PostgreSQL `version` has an extension "vector" that is new enough. */
export function hasPgvector(version) {
  const control = `/usr/share/postgresql/${version}/extension/vector.control`
  if (!existsSync(control) || !existsSync(`/usr/lib/postgresql/${version}/lib/vector.so`)) return false
  const [, major, minor] = /default_version = '(\d+)\.(\d+)/.exec(readFileSync(control, 'utf8')) ?? []
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1])
}

/** Installs the extension for PostgreSQL `version`, as a package or from source. Needs root and apt-get. */
export function installPgvector(version) {
  if (hasPgvector(version)) return
  const name = `postgresql-${version}-pgvector`
  if (run('apt-cache', ['show', name]).status === 0) run('apt-get', ['install', '-y', '-q', name])
  if (hasPgvector(version)) return
  console.log(`Building pgvector for PostgreSQL ${version} …`)
  const folder = mkdtempSync(join(tmpdir(), 'rookery-pgvector-'))
  try {
    build(folder, version)
  } catch (error) {
    console.error(error.message)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function build(folder, version) {
  must('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'gcc', 'libc6-dev'])
  const headers = join(folder, 'headers')
  // Unpacked outside the system: installing the headers would bring a whole compiler along.
  must('apt-get', ['download', '-q', `postgresql-server-dev-${version}`], folder)
  for (const file of filesIn(folder, '.deb')) must('dpkg-deb', ['-x', file, headers], folder)
  downloadSource(folder)
  must('tar', ['-xf', filesIn(folder, '.orig.tar.gz')[0], '--one-top-level=source', '--strip-components=1'], folder)
  const source = join(folder, 'source')
  const files = filesIn(join(source, 'src'), '.c').map((file) => `src/${file}`)
  const include = join(headers, `usr/include/postgresql/${version}/server`)
  must('gcc', [...FLAGS, `-I${include}`, '-o', 'vector.so', ...files, '-lm'], source)
  place(source, version)
}

const FLAGS = [
  ...['-shared', '-fPIC', '-O2', '-w', '-D_GNU_SOURCE', '-fno-strict-aliasing', '-fwrapv'],
  ...['-ftree-vectorize', '-fassociative-math', '-fno-signed-zeros', '-fno-trapping-math'],
]

function downloadSource(folder) {
  const settings = otherRelease(SOURCE_RELEASE, 'deb-src', folder)
  must('apt-get', [...settings, 'source', '--download-only', '-q', 'pgvector'], folder)
}

function place(source, version) {
  const control = readFileSync(join(source, 'vector.control'), 'utf8')
  const [, current] = /default_version = '([^']+)'/.exec(control) ?? []
  const extension = `/usr/share/postgresql/${version}/extension`
  mkdirSync(extension, { recursive: true })
  for (const file of filesIn(join(source, 'sql'), '.sql').filter((name) => name.includes('--')))
    copyFileSync(join(source, 'sql', file), join(extension, file))
  copyFileSync(join(source, 'sql/vector.sql'), join(extension, `vector--${current}.sql`))
  swapIn(join(source, 'vector.so'), `/usr/lib/postgresql/${version}/lib/vector.so`)
  swapIn(join(source, 'vector.control'), join(extension, 'vector.control'))
}

// A running server keeps the file it has open.
function swapIn(from, to) {
  copyFileSync(from, `${to}.new`)
  renameSync(`${to}.new`, to)
}

function filesIn(folder, ending) {
  return readdirSync(folder).filter((name) => name.endsWith(ending))
}

function run(program, args, cwd) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(program, args, { cwd, env, encoding: 'utf8' })
}
