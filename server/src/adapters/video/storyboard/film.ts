import { createCanvas, type Image, loadImage, type SKRSContext2D } from '@napi-rs/canvas'
import { createAir } from './air.js'
import { createGrounds, type Layer, type Stage, still } from './layers.js'
import { createSky } from './sky.js'
import { createStoryboard } from './storyboard.js'
import { createTitles, loadFonts } from './titles.js'

/** What a film is made from. */
export interface FilmOptions {
  readonly prompt: string
  /** A picture to begin with. */
  readonly imagePath?: string | undefined
  readonly width: number
  readonly height: number
  /** How long it is. */
  readonly seconds: number
}

const HORIZON = 0.64
// How much of the film a given picture is seen.
const PICTURE_PART = 0.45
const CROSSING_SECONDS = 0.8

/** A film that gives its pixels, four bytes each, for any moment of it. */
export async function createFilm(options: FilmOptions): Promise<(seconds: number) => Buffer> {
  const { prompt, width, height, seconds: length } = options
  loadFonts()
  const stage: Stage = { width, height, horizon: Math.round(height * HORIZON) }
  const board = createStoryboard(prompt)
  const layers = [...createSky(board, stage), ...createGrounds(board, stage), createAir(board, stage)]
  const darkening = still(stage, (context) => darken(context, stage))
  const picture = options.imagePath === undefined ? undefined : await loadImage(options.imagePath)
  const opening = picture && showPicture(picture, stage, length * PICTURE_PART)
  const titles = createTitles(board, stage, length)
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  return (seconds) => {
    for (const layer of layers) layer(context, seconds)
    opening?.(context, seconds)
    darkening(context, seconds)
    titles(context, seconds)
    return canvas.data()
  }
}

/** A picture that slowly comes nearer, and then gives way to the scene. */
function showPicture(picture: Image, { width, height }: Stage, until: number): Layer {
  return (context, seconds) => {
    const left = Math.min(1, Math.max(0, (until - seconds) / CROSSING_SECONDS))
    if (left === 0) return
    const scale = Math.max(width / picture.width, height / picture.height) * (1 + 0.03 * seconds)
    const [w, h] = [picture.width * scale, picture.height * scale]
    context.globalAlpha = left
    context.drawImage(picture, (width - w) / 2, (height - h) / 2, w, h)
    context.globalAlpha = 1
  }
}

/** Darkens the edges, as a lens does, and the place where words stand, so that they can be read on anything. */
function darken(context: SKRSContext2D, { width, height }: Stage): void {
  const lens = context.createRadialGradient(width / 2, height / 2, height * 0.45, width / 2, height / 2, width * 0.68)
  lens.addColorStop(0, 'rgba(0, 0, 8, 0)')
  lens.addColorStop(1, 'rgba(0, 0, 8, 0.42)')
  context.fillStyle = lens
  context.fillRect(0, 0, width, height)
  const foot = context.createLinearGradient(0, height * 0.62, 0, height)
  foot.addColorStop(0, 'rgba(0, 0, 12, 0)')
  foot.addColorStop(1, 'rgba(0, 0, 12, 0.5)')
  context.fillStyle = foot
  context.fillRect(0, height * 0.62, width, height * 0.38)
}
