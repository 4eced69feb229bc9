import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { findBundle } from './bundle.js'

const folder = await mkdtemp(join(tmpdir(), 'rookery-bundle-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const base = pathToFileURL(join(folder, 'server/dist/start/bundle.js')).href

async function put(path: string, at: Date): Promise<string> {
  const file = join(folder, path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, '')
  await utimes(file, at, at)
  return pathToFileURL(file).href
}

test('the bundle is used where it was made and nothing was compiled since', async () => {
  expect(findBundle(base)).toBeUndefined()
  const bundle = await put('server/dist/bundle/run.js', new Date('2026-01-02'))
  expect(findBundle(base)).toBe(bundle)
  await put('server/tsconfig.tsbuildinfo', new Date('2026-01-01'))
  expect(findBundle(base)).toBe(bundle)
  await put('api/tsconfig.tsbuildinfo', new Date('2026-01-03'))
  expect(findBundle(base)).toBeUndefined()
})

test('the source has none', () => {
  expect(findBundle()).toBeUndefined()
})
