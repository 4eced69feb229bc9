import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts, loadImage, type SKRSContext2D } from '@napi-rs/canvas'

export interface CardOptions {
  readonly prompt: string
  /** A picture to begin with. */
  readonly imagePath?: string | undefined
  readonly width: number
  readonly height: number
}

// One font family per script: within one family, the first file would hide the others.
const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'greek']
const FONT = SCRIPTS.map((script) => `"Inter ${script}"`).join(', ')
const PICTURE_SECONDS = 3

/** Creates a title on a moving gradient whose colours depend on the prompt. The result returns the pixels, four bytes each, at any second. */
export async function createTitleCard(options: CardOptions): Promise<(seconds: number) => Buffer> {
  const { prompt, imagePath, width, height } = options
  loadFont()
  const picture = imagePath === undefined ? undefined : await loadImage(imagePath)
  const hue = createHash('sha256').update(prompt).digest().readUInt16LE(0) % 360
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const lines = splitTitle(prompt)
  return (seconds) => {
    const [x, y] = [Math.cos(seconds / 2) * width, Math.sin(seconds / 2) * height]
    const gradient = context.createLinearGradient((width - x) / 2, (height - y) / 2, (width + x) / 2, (height + y) / 2)
    gradient.addColorStop(0, `hsl(${hue + seconds * 12}, 55%, 22%)`)
    gradient.addColorStop(1, `hsl(${hue + 70 - seconds * 12}, 60%, 42%)`)
    context.fillStyle = gradient
    context.fillRect(0, 0, width, height)
    if (picture && seconds < PICTURE_SECONDS) {
      const scale = Math.max(width / picture.width, height / picture.height)
      const [w, h] = [picture.width * scale, picture.height * scale]
      context.globalAlpha = 1 - seconds / PICTURE_SECONDS
      context.drawImage(picture, (width - w) / 2, (height - h) / 2, w, h)
      context.globalAlpha = 1
    }
    drawTitle(context, lines, width, height)
    return canvas.data()
  }
}

function drawTitle(context: SKRSContext2D, lines: readonly string[], width: number, height: number): void {
  const size = height * 0.085
  context.fillStyle = 'white'
  context.textAlign = 'center'
  context.font = `${size}px ${FONT}`
  for (const [index, line] of lines.entries())
    context.fillText(line, width / 2, height / 2 + (index - (lines.length - 1) / 2) * size * 1.4, width * 0.9)
  context.textAlign = 'right'
  context.font = `${Math.round(height * 0.021)}px ${FONT}`
  context.fillText('Storyboard', width - height * 0.035, height - height * 0.035)
}

const LINE_LETTERS = 30
const MAX_LINES = 5
// Characters the font lacks: other scripts, emoji, control characters.
const UNWRITABLE =
  /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}\p{M}]|\p{Extended_Pictographic}|\p{C}/gu

/** Splits a prompt into the lines of a title. A long prompt is cut and ends with an ellipsis. */
export function splitTitle(prompt: string): string[] {
  const words = prompt.replace(UNWRITABLE, ' ').match(/\S*[\p{L}\p{N}]\S*/gu) ?? []
  const lines: string[] = []
  for (const word of words) {
    const shortWord = word.length > LINE_LETTERS ? `${word.slice(0, LINE_LETTERS - 1)}…` : word
    const line = lines.at(-1)
    if (line !== undefined && line.length + shortWord.length < LINE_LETTERS)
      lines[lines.length - 1] = `${line} ${shortWord}`
    else if (lines.length < MAX_LINES) lines.push(shortWord)
    else return lines.with(-1, `${line} …`)
  }
  return lines
}

function loadFont(): void {
  const folder = dirname(createRequire(import.meta.url).resolve('@fontsource/inter/package.json'))
  for (const script of SCRIPTS) {
    const file = join(folder, 'files', `inter-${script}-800-normal.woff2`)
    if (!GlobalFonts.registerFromPath(file, `Inter ${script}`)) throw new Error(`No font in ${file}`)
  }
}
