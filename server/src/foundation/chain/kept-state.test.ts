import { expect, test } from 'vitest'
import { createKeptState } from './kept-state.js'

const block = (number: number, hash: string) => ({ number, at: new Date(number * 1000), hash })

test('a number is read once for a block, and again for another block of the same height', async () => {
  const readKept = createKeptState()
  let supply = 5n
  const read = (number: number, hash: string) => readKept(block(number, hash), 'supply', async () => supply)
  expect(await Promise.all([read(10, '0xa'), read(10, '0xa')])).toEqual([5n, 5n])
  supply = 6n
  expect(await read(10, '0xa')).toBe(5n)
  expect(await read(10, '0xb')).toBe(6n)
  supply = 7n
  expect(await read(11, '0xc')).toBe(7n)
})

test('what could not be read is read again, and so is what is beyond the bound', async () => {
  const readKept = createKeptState(1)
  let reads = 0
  const read = (what: string) => readKept(block(1, '0xa'), what, async () => BigInt(++reads))
  const away = async () => {
    throw new Error('away')
  }
  await expect(readKept(block(1, '0xa'), 'supply', away)).rejects.toThrow('away')
  expect([await read('supply'), await read('supply')]).toEqual([1n, 1n])
  expect([await read('other'), await read('other')]).toEqual([2n, 3n])
})

test('a block without a hash is read each time', async () => {
  const readKept = createKeptState()
  let reads = 0
  const read = () => readKept({ number: 1, at: new Date(0) }, 'supply', async () => BigInt(++reads))
  expect([await read(), await read()]).toEqual([1n, 2n])
})
