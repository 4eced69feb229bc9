import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOpen, makePrivate } from './private.js'

test('removes the permissions of others on our files, and leaves other files alone', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'rookery-private-'))
  const outside = mkdtempSync(join(tmpdir(), 'rookery-outside-'))
  const at = (...path: string[]) => join(dataDir, ...path)
  for (const folder of ['database/base/5', 'chain', 'own']) mkdirSync(at(folder), { recursive: true })
  for (const file of ['database/base/5/1259', 'chain/chain.json', 'server-secret', 'own/notes'])
    writeFileSync(at(file), '')
  symlinkSync(outside, at('files'))
  const opened = [dataDir, outside, at('database/base/5'), at('chain/chain.json'), at('server-secret'), at('own/notes')]
  for (const path of opened) chmodSync(path, 0o777)
  chmodSync(at('database/base/5/1259'), 0o666)

  expect(isOpen(dataDir)).toBe(true)
  makePrivate(dataDir)
  const mode = (path: string) => (lstatSync(path).mode & 0o777).toString(8)
  expect(isOpen(dataDir)).toBe(false)
  for (const folder of [dataDir, at('database'), at('database/base/5'), at('chain')]) expect(mode(folder)).toBe('700')
  for (const file of ['database/base/5/1259', 'chain/chain.json', 'server-secret']) expect(mode(at(file))).toBe('600')
  expect([mode(at('own/notes')), mode(outside)]).toEqual(['777', '777'])
  for (const folder of [dataDir, outside]) rmSync(folder, { recursive: true })
})

test('makes the target of a link private', () => {
  const base = mkdtempSync(join(tmpdir(), 'rookery-private-'))
  const [folder, link] = [join(base, 'folder'), join(base, 'link')]
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  symlinkSync(folder, link)
  expect(isOpen(link)).toBe(true)
  makePrivate(link)
  expect([isOpen(link), (lstatSync(folder).mode & 0o777).toString(8)]).toEqual([false, '700'])
  rmSync(base, { recursive: true })
})
