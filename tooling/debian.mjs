// Packages of another release of Debian, without changing the system: from the mirror that this machine already uses.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Options of apt-get for package lists of their own in `folder`, with the packages (`deb`) or sources (`deb-src`) of a release. */
export function otherRelease(release, kind, folder) {
  const format = '$(ORIGIN) $(RELEASE) $(REPO_URI)'
  const targets = must('apt-get', ['indextargets', '--format', format, 'Created-By: Packages']).split('\n')
  const mirror = targets.map((line) => line.split(' ')).find(([origin, name]) => origin === 'Debian' && !/-/.test(name))
  if (!mirror) throw new Error('No mirror of Debian is configured.')
  writeFileSync(join(folder, 'sources.list'), `${kind} ${mirror[2]} ${release} main\n`)
  for (const name of ['lists', 'cache']) mkdirSync(join(folder, name))
  const settings = Object.entries({
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '-',
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'APT::Sandbox::User': 'root',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  must('apt-get', [...settings, 'update', '-q'], folder)
  return settings
}

/** Downloads packages of a release into `folder`; returns their files. */
export function downloadFrom(release, packages, folder) {
  must('apt-get', [...otherRelease(release, 'deb', folder), 'download', '-q', ...packages], folder)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(folder, name))
}

/** Runs a program, and returns what it prints. */
export function must(program, args, cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stderr}`)
  return stdout
}
