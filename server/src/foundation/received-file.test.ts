import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { receiveFile } from './received-file.js'

const folder = await mkdtemp(join(tmpdir(), 'rookery-receive-'))
afterAll(() => rm(folder, { recursive: true }))

const GIF = Buffer.from('GIF89a')
const accepted = { picture: { types: ['image/gif'], maxBytes: 10_000 } } as const
const receive = (...chunks: Buffer[]) => receiveFile(Readable.from(chunks), join(folder, 'file'), accepted)

describe('a file that comes in pieces', () => {
  test('is written unchanged, and its type is detected from the content', async () => {
    const letters = [...GIF].map((byte) => Buffer.from([byte]))
    const file = await receive(...letters, Buffer.alloc(9_994))
    expect(file).toMatchObject({ kind: 'picture', mimeType: 'image/gif', size: 10_000 })
    expect(await readFile(file.path)).toEqual(Buffer.concat([GIF, Buffer.alloc(9_994)]))
    await rm(file.path)
  })

  test.each([
    ['is a byte too long', [GIF, Buffer.alloc(9_995)], 'FILE_TOO_LARGE'],
    ['is of no accepted type', [Buffer.from('nothing'), Buffer.alloc(5_000)], 'UNSUPPORTED_FILE_TYPE'],
    ['is empty', [], 'UNSUPPORTED_FILE_TYPE'],
  ])('is refused and removed when it %s', async (_, chunks, code) => {
    await expect(receive(...chunks)).rejects.toMatchObject({ code })
    expect(await readdir(folder)).toEqual([])
  })

  test('is not read further once it is refused', async () => {
    let reads = 0
    const endless = new Readable({
      read() {
        reads++
        this.push(Buffer.alloc(4_096, 'x'))
      },
    })
    await expect(receiveFile(endless, join(folder, 'file'), accepted)).rejects.toMatchObject({
      code: 'UNSUPPORTED_FILE_TYPE',
    })
    expect(reads).toBeLessThan(40)
    expect(endless.destroyed).toBe(true)
  })
})
