import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { findPostgres } from '../../../scripts/postgres.mjs'
import { startKeptPostgres } from '../postgres/kept-postgres.js'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const SIZES = '--agents 400 --tweets 3000 --follows 4000 --likes 5000 --until 2026-01-31T12:00:00Z'.split(' ')

const folders = [await newFolder(), await newFolder()] as const
afterAll(async () => {
  for (const folder of folders) {
    // A seeding that was killed leaves its server behind.
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

async function check(folder: string): Promise<string> {
  return start(folder, '--check').ended
}

const fingerprint = (printed: string) => /fingerprint\s+([0-9a-f]{32})/.exec(printed)?.[1]

describe.skipIf(!findPostgres())('seed', () => {
  test('goes on where it was killed, counts everything right, and makes the same rows for the same seed', async () => {
    const [killed, whole] = folders
    const { child, ended } = start(killed, ...SIZES)
    child.stdout?.on('data', (text: string) => {
      if (/^tweets +[\d,]+ rows/m.test(text)) child.kill('SIGKILL')
    })
    expect(await ended).toMatch(/exit null/)
    expect(await check(killed)).toMatch(/^BAD /m)

    const rest = await start(killed, ...SIZES).ended
    expect(rest).not.toMatch(/^agents /m)
    expect(rest).toMatch(/The data set is complete.\nexit 0/)
    const checked = await check(killed)
    expect(checked).not.toMatch(/^BAD /m)
    expect(checked).toMatch(/exit 0/)

    await start(whole, ...SIZES).ended
    expect(fingerprint(await check(whole))).toBe(fingerprint(checked))
  })

  test('is asked for the same numbers again, or refuses', async () => {
    expect(await start(folders[1], '--agents', '7').ended).toMatch(/exit 2/)
  })
})
