import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPostgres } from '@rookery/tooling/postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { startKeptPostgres } from '../postgres/kept-postgres.js'
import { type BenchDatabase, openBenchDatabase } from '../postgres/open.js'
import { checkDataSet, type Finding } from './check.js'
import { seed } from './command.js'
import { findPlan } from './progress.js'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const SIZES = { agents: 400, tweets: 3000, follows: 4000, likes: 5000 }
const UNTIL = '2026-01-31T12:00:00Z'
const OPTIONS = [...Object.entries(SIZES), ['until', UNTIL] as const].flatMap(([name, value]) => [
  `--${name}`,
  `${value}`,
])

const folders = [await newFolder(), await newFolder()] as const
afterAll(async () => {
  for (const folder of folders) {
    // A killed run leaves its server running.
    await (await startKeptPostgres(folder)).stop()
    await rm(folder, { recursive: true, force: true })
  }
})

async function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'rookery-seed-'))
}

function start(folder: string, ...options: string[]): { child: ChildProcess; ended: Promise<string> } {
  const args = ['--conditions=source', '--import', 'tsx', MAIN, 'seed', '--private-postgres', '--folder', folder]
  const child = spawn(process.execPath, [...args, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  return { child, ended: new Promise((resolve) => child.once('exit', (code) => resolve(`${printed}exit ${code}\n`))) }
}

/** Does what the command does, but in this process: starting one takes longer than its work. */
async function within<T>(folder: string, work: (database: BenchDatabase) => Promise<T>): Promise<T> {
  const database = await openBenchDatabase({ 'private-postgres': true, folder })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function check({ db }: BenchDatabase): Promise<Finding[]> {
  const plan = await findPlan(db)
  if (!plan) throw new Error('there is no data set')
  return checkDataSet(db, plan)
}

const fingerprint = (findings: readonly Finding[]) => findings.find(({ name }) => name === 'fingerprint')?.note

describe.skipIf(!findPostgres())('seed', () => {
  test('continues where it was killed, counts correctly, and gives the same rows for the same seed', async () => {
    const [killed, whole] = folders
    const { child, ended } = start(killed, ...OPTIONS)
    child.stdout?.on('data', (text: string) => {
      if (/^tweets +[\d,]+ rows/m.test(text)) child.kill('SIGKILL')
    })
    expect(await ended).toMatch(/exit null/)
    expect(await start(killed, '--check').ended).toMatch(/^BAD /m)

    const rest = await start(killed, ...OPTIONS).ended
    expect(rest).not.toMatch(/^agents /m)
    expect(rest).toMatch(/The data set is complete.\nexit 0/)
    const checked = await within(killed, check)
    expect(checked.filter(({ ok }) => !ok)).toEqual([])

    const again = await within(whole, async (database) => {
      await seed(database, { ...SIZES, seed: 1, until: Date.parse(UNTIL) }, { quiet: true })
      return check(database)
    })
    expect(fingerprint(checked)).toMatch(/^[0-9a-f]{32}$/)
    expect(fingerprint(again)).toBe(fingerprint(checked))
  })

  test('refuses to continue with other numbers', async () => {
    expect(await start(folders[1], '--agents', '7').ended).toMatch(/exit 2/)
  })
})
