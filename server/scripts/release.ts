import { readFileSync, writeFileSync } from 'node:fs'
import { lt, valid } from 'semver'
import { readMigrations } from '../src/foundation/db/migrations.js'
import { keepRelease } from '../test/upgrade/keep-release.js'
import { nameEntry, writeChangelog } from './changelog.js'
import { addReleased, findBroken, readReleased, writeReleased } from './released-migrations.js'
import { setVersion } from './versions.js'

// npm run release -- 0.2.0: makes the working copy that release. Commit and tag are left to whoever runs it.

const ROOT = new URL('../../', import.meta.url)
const [version = ''] = process.argv.slice(2)

try {
  await release()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

async function release(): Promise<void> {
  const { version: last } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string }
  if (valid(version) !== version || lt(version, last))
    throw new Error(`Usage: npm run release -- <version>, which is ${last} or a later one, such as 1.2.3.`)
  const [migrations, released] = [readMigrations(), readReleased()]
  const broken = findBroken(released, migrations)
  if (broken.length > 0) throw new Error(broken.join('\n'))
  writeChangelog(nameEntry(version, new Date().toISOString().slice(0, 10)))
  setVersion(version)
  writeReleased(addReleased(released, migrations, version))
  // Only now: they contain the version.
  const { generatedFiles } = await import('./generated-files.js')
  for (const [path, content] of Object.entries(await generatedFiles())) writeFileSync(new URL(path, ROOT), content)
  await keepRelease(version)
  process.stdout.write(`This is ${version}. Read the changes and run npm test, then:
  git add --all && git commit -m "Release ${version}" && git tag -a v${version} -m "Rookery ${version}"
  git push --follow-tags
`)
}
