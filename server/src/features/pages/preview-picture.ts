import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts, Path2D, type SKRSContext2D } from '@napi-rs/canvas'
import { PICTURE } from './page-head.js'
import { drawEgg, drawMarket, type PreviewMarket } from './preview-market.js'

/** The content of a preview. */
export interface Preview {
  readonly title: string
  /** Under the title. */
  readonly subtitle: string
  readonly text: string
  /** Figures at the foot. */
  readonly figures: readonly string[]
  readonly platformName: string
  /** The agent whose egg is beside the title. */
  readonly egg?: string
  /** An agent's share, beside the text. */
  readonly market?: PreviewMarket
}

const EDGE = 80
const WIDTH = PICTURE.width - 2 * EDGE
const FOOT = PICTURE.height - 72

const EGG = 128
const MARKET = 400

const PAPER = '#eff4f3'
const INK = '#111b1d'
const SOFT = '#475759'
const LINE = '#d3dddb'
const ACCENT = '#0b5d6c'

// The bird of the site's logo, in a square of 64.
const PLUMAGE =
  'M0 44C10 41 15 34 19 26 21.5 21 22 16 25 11 28 5.5 32.5 3 37.5 3 43 3 46.500 5.5 48 9.5L47.5 18C47 22 48.5 26 48.5 30c0 10-7 17-15.5 18.5V54h8v3.5h6V63H15v-5.5h6V54h7v-5C17 49.500 7 47 0 44z'
const BILL = 'M48 9c6.500.5 12 4 16 10.5C58 18 53 18 47.5 19z'

const SUBSETS = ['latin', 'latin-ext', 'greek', 'cyrillic'] as const
const WEIGHTS = [400, 600, 700] as const
const FAMILY = SUBSETS.map((subset) => `"Inter ${subset}"`).join(', ')
export const font = (weight: (typeof WEIGHTS)[number], size: number) => `${weight} ${size}px ${FAMILY}, sans-serif`

/** Draws a preview as a PNG. */
export async function drawPreview(preview: Preview): Promise<Buffer> {
  registerFonts()
  const canvas = createCanvas(PICTURE.width, PICTURE.height)
  const pen = canvas.getContext('2d')
  pen.fillStyle = PAPER
  pen.fillRect(0, 0, PICTURE.width, PICTURE.height)
  pen.fillStyle = ACCENT
  pen.fillRect(0, 0, 12, PICTURE.height)
  drawHead(pen, preview)
  drawText(pen, preview.text, preview.market ? WIDTH - MARKET - 40 : WIDTH)
  if (preview.market) drawMarket(pen, preview.market, { x: EDGE + WIDTH - MARKET, y: 214, width: MARKET, font })
  drawFoot(pen, preview)
  return canvas.encode('png')
}

function drawHead(pen: SKRSContext2D, { title, subtitle, egg }: Preview): void {
  const left = egg === undefined ? EDGE : EDGE + EGG + 20
  if (egg !== undefined) drawEgg(pen, egg, { x: EDGE - 12, y: 54, size: EGG })
  pen.fillStyle = INK
  pen.font = font(700, 46)
  pen.fillText(fitText(pen, title, EDGE + WIDTH - left), left, 116)
  pen.fillStyle = SOFT
  pen.font = font(400, 30)
  pen.fillText(fitText(pen, subtitle, EDGE + WIDTH - left), left, 162)
}

/** Draws the text in the largest size in which it fits; cuts it in the smallest. */
function drawText(pen: SKRSContext2D, text: string, width: number): void {
  pen.fillStyle = INK
  for (const [size, most] of [
    [48, 4],
    [40, 5],
    [34, 6],
  ] as const) {
    pen.font = font(400, size)
    const lines = wrapText(pen, text, width)
    if (lines.length > most && size !== 34) continue
    const shown = lines.slice(0, most)
    if (lines.length > most) shown[most - 1] = fitText(pen, `${shown[most - 1]} …`, width)
    shown.forEach((line, index) => {
      pen.fillText(line, EDGE, 250 + index * size * 1.32)
    })
    return
  }
}

function drawFoot(pen: SKRSContext2D, { figures, platformName }: Preview): void {
  pen.fillStyle = LINE
  pen.fillRect(EDGE, FOOT - 50, WIDTH, 2)
  drawBird(pen, EDGE, FOOT - 30, { plumage: INK, bill: SOFT, size: 0.75 })
  pen.fillStyle = INK
  pen.font = font(700, 32)
  pen.fillText(platformName, EDGE + 66, FOOT + 10)
  pen.fillStyle = SOFT
  pen.font = font(400, 28)
  const line = figures.join('   ·   ')
  pen.fillText(line, PICTURE.width - EDGE - pen.measureText(line).width, FOOT + 10)
}

/** Draws the bird of the logo with its upper left corner at a point. */
export function drawBird(
  pen: SKRSContext2D,
  x: number,
  y: number,
  { plumage, bill, size }: { plumage: string; bill: string; size: number },
): void {
  pen.save()
  pen.translate(x, y)
  pen.scale(size, size)
  pen.fillStyle = plumage
  pen.fill(new Path2D(PLUMAGE))
  pen.fillStyle = bill
  pen.fill(new Path2D(BILL))
  pen.restore()
}

/** Wraps text into lines that are no wider than the width. Breaks words that are wider. */
function wrapText(pen: SKRSContext2D, text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).flatMap((word) => splitWord(pen, word, width))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && pen.measureText(longer).width > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return line === '' ? lines : [...lines, line]
}

function splitWord(pen: SKRSContext2D, word: string, width: number): string[] {
  if (pen.measureText(word).width <= width) return [word]
  const half = Math.ceil(word.length / 2)
  return [...splitWord(pen, word.slice(0, half), width), ...splitWord(pen, word.slice(half), width)]
}

function fitText(pen: SKRSContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text
  let end = text.length
  while (end > 1 && pen.measureText(`${text.slice(0, end)}…`).width > width) end--
  return `${text.slice(0, end).trimEnd()}…`
}

let isRegistered = false

// Fonts are registered for the whole process. A separate family per alphabet lets one fall back to another.
export function registerFonts(): void {
  if (isRegistered) return
  isRegistered = true
  const folder = join(dirname(createRequire(import.meta.url).resolve('@fontsource/inter/package.json')), 'files')
  for (const subset of SUBSETS)
    for (const weight of WEIGHTS)
      GlobalFonts.registerFromPath(join(folder, `inter-${subset}-${weight}-normal.woff2`), `Inter ${subset}`)
}
