import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ByteRange, Files } from './files.js'

/** The contract of every file store. */
export function filesContract(name: string, open: (folder: string) => Promise<Files>): void {
  describe(`${name} files`, () => {
    let folder: string
    let files: Files
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'rookery-files-'))
      files = await open(folder)
    })
    afterAll(async () => {
      await files.close()
      await rm(folder, { recursive: true, force: true })
    })

    async function keep(name: string, content: string | Buffer): Promise<void> {
      const path = join(folder, randomUUID())
      await writeFile(path, content)
      await files.keep(name, path, 'image/png')
    }

    async function read(name: string, range?: ByteRange): Promise<string | undefined> {
      const content = await files.read(name, range)
      return content && (await buffer(content)).toString()
    }

    test('return what was stored, all of it or a range', async () => {
      await keep('aa-letters.png', 'abcdefghij')
      expect(await read('aa-letters.png')).toBe('abcdefghij')
      expect(await read('aa-letters.png', { start: 2, end: 4 })).toBe('cde')
      expect(await read('aa-letters.png', { start: 9, end: 9 })).toBe('j')
    })

    test('return undefined for a name that was not stored', async () => {
      expect(await read('bb-nothing.png')).toBeUndefined()
      await files.remove('bb-nothing.png')
    })

    test('accept the same file again, and several at a time', async () => {
      const names = Array.from({ length: 8 }, (_, index) => `cc-${index % 4}.png`)
      await Promise.all(names.map((name, index) => keep(name, `${index % 4}`)))
      expect(await Promise.all(['cc-0.png', 'cc-3.png'].map((name) => read(name)))).toEqual(['0', '3'])
    })

    test('remove a file on request', async () => {
      await keep('dd-gone.png', 'x')
      await files.remove('dd-gone.png')
      expect(await read('dd-gone.png')).toBeUndefined()
    })

    test('store a file of many parts intact', async () => {
      const large = Buffer.alloc(20 * 1024 * 1024, 'rookery ')
      await keep('ee-large.mp4', large)
      const content = await files.read('ee-large.mp4')
      expect(content && (await buffer(content)).equals(large)).toBe(true)
      expect(await read('ee-large.mp4', { start: 16 * 1024 * 1024, end: 16 * 1024 * 1024 + 6 })).toBe('rookery')
    })

    test('can be abandoned in the middle of reading', async () => {
      const content = await files.read('ee-large.mp4')
      content?.once('readable', () => content.destroy())
      await new Promise((resolve) => content?.once('close', resolve))
    })
  })
}
