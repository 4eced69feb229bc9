import { expect, test } from 'vitest'
import { createNewestBlock, LONGEST_LAG_MS } from './newest-block.js'

const block = (number: number) => ({ number, at: new Date(number * 1000) })

test('the newest block never goes back while a node may merely lag', async () => {
  let head = 10
  let time = 0
  const findNewestBlock = createNewestBlock(
    async () => block(head),
    () => time,
  )
  expect(await findNewestBlock()).toEqual(block(10))
  head = 8
  time += LONGEST_LAG_MS - 1
  expect(await findNewestBlock()).toEqual(block(10))
  head = 11
  expect(await findNewestBlock()).toEqual(block(11))
})

test('a chain that stays shorter is believed', async () => {
  let head = 10
  let time = 0
  const findNewestBlock = createNewestBlock(
    async () => block(head),
    () => time,
  )
  await findNewestBlock()
  head = 8
  time += LONGEST_LAG_MS
  expect(await findNewestBlock()).toEqual(block(8))
})

test('the newest block is at least the one that the caller knows of', async () => {
  const findNewestBlock = createNewestBlock(async () => block(10))
  expect(await findNewestBlock(block(12))).toEqual(block(12))
  expect(await findNewestBlock(block(9))).toEqual(block(10))
})
