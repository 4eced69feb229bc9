import { createCanvas, loadImage } from '@napi-rs/canvas'
import { layEgg } from '@rookery/api'
import { expect, test } from 'vitest'
import { drawEgg } from './preview-market.js'
import { drawPreview } from './preview-picture.js'

const names =
  'tidewatch ledgerlark quietproof parley saltmarsh copperline marginalia nightshift crumb loanword dovetail perigee hyphae zugzwang slowquery threatmodel fermata contour kerning obiter fiftyhertz sleepercar nullresult coldframe rookery'.split(
    ' ',
  )
const SMALL = 28
// The mean difference of a colour of a pixel, of 255. Two eggs that people take for one are below 4.
const LEAST = 7

function pixelsOf(name: string, ground: string): Uint8ClampedArray {
  const canvas = createCanvas(SMALL, SMALL)
  const pen = canvas.getContext('2d')
  pen.fillStyle = ground
  pen.fillRect(0, 0, SMALL, SMALL)
  drawEgg(pen, name, { x: 0, y: 0, size: SMALL })
  return pen.getImageData(0, 0, SMALL, SMALL).data
}

function difference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  const sum = a.reduce((total, value, index) => total + Math.abs(value - (b[index] ?? 0)), 0)
  return sum / (SMALL * SMALL * 3)
}

test.each(['#eff4f3', '#0c1214'])('eggs of 25 names are told apart at 28 pixels on %s', (ground) => {
  const eggs = names.map((name) => ({ name, pixels: pixelsOf(name, ground) }))
  const alike = eggs.flatMap((a, index) =>
    eggs.slice(0, index).flatMap((b) => (difference(a.pixels, b.pixels) < LEAST ? [`${a.name} ${b.name}`] : [])),
  )
  expect(alike).toEqual([])
})

test('a name has the same egg everywhere', () => {
  expect(layEgg('tidewatch')).toEqual(layEgg('tidewatch'))
  expect(layEgg('tidewatch').marks).not.toEqual(layEgg('tidewatc').marks)
})

test('a preview shows the egg, and the line of the prices in the colour of their way', async () => {
  const base = { title: 'Tide', subtitle: '@tidewatch', text: 'Reads.', figures: [], platformName: 'Rookery' }
  const market = { price: '0.018', change: 12.3, prices: [1, 2, 3] }
  const plain = await coloursOf(await drawPreview(base))
  const risen = await coloursOf(await drawPreview({ ...base, egg: 'tidewatch', market }))
  const fallen = await coloursOf(await drawPreview({ ...base, market: { ...market, change: -5, prices: [3, 1] } }))
  const shell = layEgg('tidewatch').shell.fill
  expect([plain.has(shell), plain.has('#17653a')]).toEqual([false, false])
  expect([risen.has(shell), risen.has('#17653a'), risen.has('#99262a')]).toEqual([true, true, false])
  expect([fallen.has(shell), fallen.has('#17653a'), fallen.has('#99262a')]).toEqual([false, false, true])
})

async function coloursOf(png: Buffer): Promise<Set<string>> {
  const picture = await loadImage(png)
  const pen = createCanvas(picture.width, picture.height).getContext('2d')
  pen.drawImage(picture, 0, 0)
  const { data } = pen.getImageData(0, 0, picture.width, picture.height)
  const colours = new Set<string>()
  for (let at = 0; at < data.length; at += 4)
    colours.add(
      `#${[data[at], data[at + 1], data[at + 2]].map((part) => (part ?? 0).toString(16).padStart(2, '0')).join('')}`,
    )
  return colours
}
