import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOnPath } from '@rookery/tooling/find-programs'
import { findPostgres } from '@rookery/tooling/postgres'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createInstallation, type Installation } from './installation.js'
import { readBlocksOf, readSteps, type Step } from './page.js'
import { ROOT } from './root.js'
import { commands, type Treatment, treatments } from './treatments.js'

// An operator who goes through docs/operating.md from its first line to its last, and runs every command in it.

const NGINX = ['/usr/sbin/nginx', findOnPath('nginx')].find((file) => file !== undefined && existsSync(file))
const PARTS = ['First day', 'Every day', 'Bad day']
const steps = readSteps()
const blocks = steps.filter(({ kind }) => kind === 'block')

const treatmentOf = ({ name, kind }: Step): Treatment | undefined => {
  const prints = commands[name]
  return kind === 'block' ? treatments[name] : prints && { prints }
}
const isNotRun = (treatment: Treatment | undefined) => treatment !== undefined && 'notRun' in treatment

describe('the commands of docs/operating.md', () => {
  test('are all run here, or listed with the reason why not', () => {
    const namesOf = (kind: Step['kind']) => steps.filter((step) => step.kind === kind).map(({ name }) => name)
    expect(namesOf('block').toSorted()).toEqual(Object.keys(treatments).toSorted())
    expect(namesOf('command').toSorted()).toEqual(Object.keys(commands).toSorted())
    expect(new Set(steps.map(({ part }) => part))).toEqual(new Set(PARTS))
    expect(Object.values(treatments).filter(isNotRun).length).toBeLessThan(8)
  })

  test('are all commands of an operator', () => {
    const { stderr } = spawnSync(process.execPath, [`${ROOT}server/dist/operate.js`], { encoding: 'utf8' })
    const known = [...stderr.matchAll(/^npm run operate -- ([\w-]+)/gm)].map(([, name]) => name)
    const named = steps.flatMap(({ text }) =>
      [...text.matchAll(/npm run operate -- ([\w-]+)/g)].map(([, name]) => name),
    )
    expect(known.length).toBeGreaterThan(20)
    expect([...new Set(named)].toSorted()).toEqual(known.toSorted())
  })

  test.each(blocks.filter((step) => isNotRun(treatments[step.name])))(
    '$name names only what exists',
    ({ name, text, place }) => {
      const treatment = treatments[name]
      if (!treatment || !('elsewhere' in treatment)) throw new Error(`${name} is run`)
      expect(spawnSync('bash', ['-n'], { input: text }).status, place).toBe(0)
      const scripts = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).scripts
      for (const [, script = ''] of text.matchAll(/npm (?:run (?:-s )?)?([a-z]+)/g))
        expect([...Object.keys(scripts), 'ci'], place).toContain(script)
      for (const [path] of text.matchAll(/(?<=^|\s)(?:deploy|embedded-chain|server)\/[\w./@-]+/gm))
        if (!path.endsWith('.env')) expect(existsSync(ROOT + path), path).toBe(true)
      const variables = readFileSync(`${ROOT}.env.example`, 'utf8')
      for (const [, variable] of text.matchAll(/\b([A-Z]+(?:_[A-Z0-9]+)+)\b/g))
        expect(variables).toContain(`\n${variable}=`)
      // The other test runs the same program, or holds the same files.
      const other = readFileSync(ROOT + treatment.elsewhere, 'utf8')
      const subjects = text.match(/production|rookery@|Dockerfile|image|compose|helm|embedded-chain/g) ?? []
      expect(
        subjects.some((subject) => other.includes(subject)),
        place,
      ).toBe(true)
    },
  )
})

describe.skipIf(!findPostgres())('an operator who follows docs/operating.md', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await createInstallation()
  })
  afterAll(() => installation?.leave())

  test.each(PARTS)('%s: each command does what it says', { timeout: 900_000 }, async (part) => {
    for (const step of steps.filter((step) => step.part === part)) {
      const treatment = treatmentOf(step)
      if (!treatment || 'notRun' in treatment) continue
      await installation.before[step.name]?.()
      const { code, output } = await installation.run(step, treatment)
      const { prints, code: expected = 0 } = treatment
      const said = `${step.place}, ${step.name}, ended with ${code}:\n${output}`
      expect(code, said).toBe(expected)
      if (prints) expect(prints.test(output), `${said}\nIt should have printed ${prints}`).toBe(true)
    }
  })

  test('everything that was written is there in the end', { timeout: 120_000 }, () => installation.requireAllKept())
})

describe.skipIf(!NGINX)('the configuration of nginx in docs/operating.md', () => {
  test('is one that nginx takes, with one instance and with several', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rookery-nginx-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const certificate = join(folder, 'certificate.pem')
    const key = ['-keyout', certificate, '-out', certificate, '-subj', '/CN=rookery.example']
    spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...key])
    const [server = '', upstream = '', ...others] = readBlocksOf('nginx')
    expect(others).toEqual([])
    const several = [...upstream.matchAll(/^# {3}(.*;)$/gm)].map(([, line]) => line).join('\n')
    expect(several).toContain('proxy_pass http://rookery;')
    const one = 'proxy_pass http://127.0.0.1:3000;'
    for (const text of [server, `${upstream}${server.replace(`location / { ${one} }`, `location / { ${several} }`)}`]) {
      const here = text
        .replaceAll(/\/etc\/letsencrypt\/\S+\.pem/g, certificate)
        .replace('listen 443 ssl', `listen unix:${folder}/socket ssl`)
      const places = `pid ${folder}/pid;\nerror_log ${folder}/log;\nevents {}\n`
      writeFileSync(join(folder, 'nginx.conf'), `${places}http {\naccess_log off;\n${here}}\n`)
      const { stderr } = spawnSync(NGINX ?? '', ['-t', '-c', join(folder, 'nginx.conf')], { encoding: 'utf8' })
      expect(stderr).toContain('test is successful')
      expect(stderr).not.toContain('[warn]')
    }
  })
})
