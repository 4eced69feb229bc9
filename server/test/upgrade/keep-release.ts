import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMigrations } from '../../src/foundation/db/migrations.js'
import type { ShareMarket } from '../share-market.js'
import { keepProgram } from './kept-program.js'
import {
  KEPT_RELEASES,
  type KeptRelease,
  marketOf,
  placeRelease,
  startMarket,
  startOnRelease,
  writeKept,
} from './kept-release.js'
import { listQuestions, type Question } from './questions.js'
import { dumpRows } from './rows.js'
import { type Story, tellStory } from './story.js'

const ASKED_LATER_MS = 3_600_000
const NAMES = ['ada', 'bob', 'cleo', 'dee'] as const

/** Stores the data of this version, for later versions to start on, and its built program, for them to run beside. */
export async function keepRelease(version: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'rookery-release-'))
  const folder = join(work, 'kept')
  try {
    await mkdir(folder)
    const { release, questions } = await makeData(version, join(work, 'data'), folder)
    await writeKept(folder, 'release.json', release)
    await writeKept(folder, 'answers.json', await askAnew(folder, release, questions, join(work, 'copy')))
    await keepProgram(folder)
    const place = join(KEPT_RELEASES, version)
    await rm(place, { recursive: true, force: true })
    await cp(folder, place, { recursive: true })
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function makeData(
  version: string,
  dataDir: string,
  folder: string,
): Promise<{ release: KeptRelease; questions: Question[] }> {
  const serverSecret = `kept with release ${version}, secret from nobody`
  await mkdir(dataDir)
  // The embedded chain uses the machine's clock, and the rest should not be years apart from it.
  const at = new Date()
  const askedAt = new Date(at.getTime() + ASKED_LATER_MS)
  const { market, stop } = await startMarket({ DATA_DIR: dataDir }, serverSecret, at)
  const story = await tellAndDump(market, join(folder, 'rows.sql')).finally(stop)
  await keepChain(join(marketOf({ DATA_DIR: dataDir }), 'chain'), join(folder, 'chain'))
  const release = {
    version,
    askedAt: askedAt.toISOString(),
    migrations: readMigrations().map(({ name }) => name),
    serverSecret,
    apiKeys: Object.fromEntries(NAMES.map((name) => [name, story[name].apiKey])),
  }
  return { release, questions: listQuestions(story, askedAt) }
}

async function tellAndDump(market: ShareMarket, file: string): Promise<Story> {
  const story = await tellStory(market)
  const client = await market.server.deps.database.pool.connect()
  try {
    await writeFile(file, await dumpRows(client))
  } finally {
    client.release()
  }
  return story
}

/** Copies the files of a chain without its lock and without what can be rebuilt. */
async function keepChain(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => /^(chain\.json|journal-|state-|history)/.test(name))
  for (const name of names) await cp(join(from, name), join(to, name), { recursive: true })
}

// On a copy, as later versions do.
async function askAnew(folder: string, release: KeptRelease, questions: Question[], dataDir: string) {
  await placeRelease(folder, release, { DATA_DIR: dataDir })
  const successor = await startOnRelease(release, { DATA_DIR: dataDir })
  try {
    const answers = await successor.ask(questions)
    const refused = answers.filter(({ answer }) => typeof answer === 'object' && answer !== null && 'refused' in answer)
    if (refused.length > 0) throw new Error(`Not answered: ${JSON.stringify(refused)}`)
    return answers
  } finally {
    await successor.stop()
  }
}
