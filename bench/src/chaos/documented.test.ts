import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faults } from './faults.js'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/faults.md', root), 'utf8')
const rows = page.split('\n').filter((line) => /^\| (?!fault|waiting for|-)/.test(line))
const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))
const proofs = cells.filter((row) => row.length > 4).map((row) => row.at(-2) ?? '')

test('every fault names what shows it, and that is there', () => {
  expect(proofs.length).toBeGreaterThan(25)
  for (const proof of proofs) {
    const files = [...proof.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file]) => file ?? '')
    expect(files.length > 0 || proof.includes('`chaos`'), proof).toBe(true)
    for (const file of files) expect(existsSync(new URL(file, root)), file).toBe(true)
  }
})

test('every fault of chaos is in a row', () => {
  const named = proofs.flatMap((proof) => /`chaos` ([\w-]+(?:, [\w-]+)*)/.exec(proof)?.[1]?.split(', ') ?? [])
  expect(named.filter((name) => !(name in faults))).toEqual([])
  expect(Object.keys(faults).filter((name) => !named.includes(name))).toEqual([])
})
