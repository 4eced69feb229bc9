import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'
import type { Layer, Stage } from './layers.js'
import type { Storyboard } from './storyboard.js'

const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'greek'] as const
const WEIGHTS = [500, 800] as const
const FADE_SECONDS = 0.45
const WORD_SECONDS = 0.09

// One family for each script and weight: within one, the first file would hide the others.
const family = (weight: (typeof WEIGHTS)[number]) => SCRIPTS.map((script) => `"Inter ${script} ${weight}"`).join(', ')

/** Makes the font known to this process. */
export function loadFonts(): void {
  const folder = dirname(createRequire(import.meta.url).resolve('@fontsource/inter/package.json'))
  for (const script of SCRIPTS)
    for (const weight of WEIGHTS) {
      const file = join(folder, 'files', `inter-${script}-${weight}-normal.woff2`)
      if (!GlobalFonts.registerFromPath(file, `Inter ${script} ${weight}`)) throw new Error(`No font in ${file}`)
    }
}

/** The words of the prompt, phrase by phrase, and what made the film. */
export function createTitles({ phrases }: Storyboard, stage: Stage, length: number): Layer {
  const share = length / Math.max(1, phrases.length)
  return (context, seconds) => {
    const index = Math.min(phrases.length - 1, Math.floor(seconds / share))
    const phrase = phrases[index]
    if (phrase !== undefined) drawPhrase(context, stage, phrase, seconds - index * share, share)
    drawLabel(context, stage)
  }
}

function drawPhrase(context: SKRSContext2D, stage: Stage, phrase: string, seconds: number, share: number): void {
  const size = sizeFor(context, stage, phrase)
  const words = phrase.split(' ')
  const leaving = Math.min(1, Math.max(0, (share - seconds) / FADE_SECONDS))
  context.font = `${size}px ${family(800)}`
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
  const space = context.measureText(' ').width
  const widths = words.map((word) => context.measureText(word).width)
  const whole = widths.reduce((sum, width) => sum + width, 0) + space * (words.length - 1)
  const baseline = stage.height * 0.83
  let x = (stage.width - whole) / 2
  context.save()
  context.shadowColor = 'rgba(0, 0, 10, 0.55)'
  context.shadowBlur = size * 0.35
  context.shadowOffsetY = size * 0.04
  words.forEach((word, index) => {
    const coming = Math.min(1, Math.max(0, (seconds - index * WORD_SECONDS) / FADE_SECONDS))
    const eased = 1 - (1 - coming) ** 3
    context.fillStyle = `rgba(255, 255, 255, ${eased * leaving})`
    context.fillText(word, x, baseline + (1 - eased) * size * 0.45)
    x += (widths[index] ?? 0) + space
  })
  context.restore()
}

function sizeFor(context: SKRSContext2D, { width, height }: Stage, phrase: string): number {
  const largest = height * 0.105
  context.font = `${largest}px ${family(800)}`
  return Math.min(largest, (largest * width * 0.86) / context.measureText(phrase).width)
}

function drawLabel(context: SKRSContext2D, { width, height }: Stage): void {
  context.font = `${Math.round(height * 0.021)}px ${family(500)}`
  context.textAlign = 'right'
  context.fillStyle = 'rgba(255, 255, 255, 0.6)'
  context.fillText('Storyboard', width - height * 0.035, height - height * 0.035)
}
