import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { between, type Chance } from './chance.js'
import { css, mix } from './colors.js'
import { type Layer, type Stage, still } from './layers.js'
import type { Storyboard } from './storyboard.js'

/** Everything above the horizon, from behind to before. */
export function createSky(board: Storyboard, stage: Stage): Layer[] {
  const isDark = board.mood === 'night' || board.mood === 'space'
  return [
    backdrop(board, stage),
    ...(board.mood === 'space' ? [nebula(board, stage)] : []),
    ...(isDark ? [stars(board, stage)] : []),
    ...(board.mood === 'storm' ? [] : [board.mood === 'space' ? planet(board, stage) : disc(board, stage)]),
    ...(board.mood === 'space' ? [] : [clouds(board, stage)]),
  ]
}

function backdrop({ palette }: Storyboard, stage: Stage): Layer {
  return still(stage, (context) => {
    const fill = context.createLinearGradient(0, 0, 0, stage.horizon)
    fill.addColorStop(0, css(palette.sky[0]))
    fill.addColorStop(0.55, css(palette.sky[1]))
    fill.addColorStop(1, css(palette.sky[2]))
    context.fillStyle = fill
    context.fillRect(0, 0, stage.width, stage.height)
  })
}

function stars({ chance, palette, mood }: Storyboard, { width, height, horizon }: Stage): Layer {
  const low = mood === 'space' ? height : horizon
  const all = Array.from({ length: mood === 'space' ? 420 : 240 }, () => ({
    x: chance() * width,
    y: chance() ** 1.3 * low,
    size: 0.5 + chance() ** 5 * 2.6,
    phase: chance() * 6.3,
  }))
  return (context, seconds) => {
    for (const { x, y, size, phase } of all) {
      context.fillStyle = css(palette.light, 0.35 + 0.5 * (0.5 + 0.5 * Math.sin(seconds * 2 + phase)))
      context.beginPath()
      context.arc(x - seconds * size * 1.5, y, size, 0, Math.PI * 2)
      context.fill()
    }
  }
}

/** The sun, or the moon at night. It rises in the morning and sinks in the evening. */
function disc({ chance, palette, mood }: Storyboard, { width, height, horizon }: Stage): Layer {
  const side = chance() < 0.5 ? between(chance, 0.62, 0.8) : between(chance, 0.2, 0.38)
  const radius = height * (mood === 'day' ? 0.05 : 0.075)
  const start = { dawn: 0.1, day: 0.7, sunset: 0.3, night: 0.66, storm: 0, space: 0 }[mood]
  const rise = { dawn: 0.035, day: 0.005, sunset: -0.03, night: 0.01, storm: 0, space: 0 }[mood]
  return (context, seconds) => {
    const x = width * side
    const y = horizon * (1 - start - rise * seconds)
    glow(context, x, y, radius * 7, css(palette.light, 0.5), css(palette.light, 0))
    context.fillStyle = css(mix(palette.light, [255, 255, 255], 0.4))
    context.beginPath()
    context.arc(x, y, radius, 0, Math.PI * 2)
    context.fill()
    if (mood !== 'night') return
    context.fillStyle = css(mix(palette.light, palette.sky[1], 0.3), 0.5)
    for (const [dx, dy, part] of [
      [-0.3, -0.2, 0.24],
      [0.25, 0.3, 0.17],
      [0.3, -0.32, 0.11],
    ] as const) {
      context.beginPath()
      context.arc(x + dx * radius, y + dy * radius, part * radius, 0, Math.PI * 2)
      context.fill()
    }
  }
}

function planet({ chance, palette }: Storyboard, { width, height }: Stage): Layer {
  const [x, y] = [width * between(chance, 0.62, 0.76), height * between(chance, 0.3, 0.4)]
  const radius = height * between(chance, 0.16, 0.22)
  const bands = Array.from({ length: 9 }, () => chance())
  const color = mix(palette.sky[1], palette.light, 0.55)
  return (context, seconds) => {
    const ring = (from: number, to: number) => {
      context.strokeStyle = css(mix(color, palette.light, 0.5), 0.55)
      context.lineWidth = radius * 0.16
      context.beginPath()
      context.ellipse(x, y, radius * 1.85, radius * 0.42, -0.32, from, to)
      context.stroke()
    }
    glow(context, x, y, radius * 2.6, css(color, 0.35), css(color, 0))
    ring(Math.PI, Math.PI * 2)
    context.save()
    context.beginPath()
    context.arc(x, y, radius, 0, Math.PI * 2)
    context.clip()
    context.fillStyle = css(color)
    context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
    bands.forEach((band, index) => {
      context.fillStyle = css(band < 0.5 ? palette.sky[1] : palette.light, 0.22)
      const top = y - radius + (index / bands.length) * radius * 2 + Math.sin(seconds * 0.5 + index) * 2
      context.fillRect(x - radius, top, radius * 2, (radius * 2 * (0.3 + band)) / bands.length)
    })
    const shade = context.createRadialGradient(x - radius * 0.5, y - radius * 0.5, radius * 0.2, x, y, radius * 1.25)
    shade.addColorStop(0, 'rgba(0, 0, 0, 0)')
    shade.addColorStop(1, 'rgba(0, 0, 10, 0.85)')
    context.fillStyle = shade
    context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
    context.restore()
    ring(0, Math.PI)
  }
}

function nebula({ chance, palette }: Storyboard, { width, height }: Stage): Layer {
  const puffs = Array.from({ length: 14 }, (_, index) => ({
    x: chance() * width,
    y: chance() * height,
    size: height * between(chance, 0.25, 0.6),
    color: mix(palette.sky[2], index % 3 === 0 ? [90, 200, 255] : [230, 80, 190], chance() * 0.6),
  }))
  return (context, seconds) => {
    context.globalCompositeOperation = 'lighter'
    puffs.forEach(({ x, y, size, color }, index) => {
      glow(context, x + Math.sin(seconds * 0.3 + index) * 14, y, size, css(color, 0.16), css(color, 0))
    })
    context.globalCompositeOperation = 'source-over'
  }
}

function clouds({ chance, palette, mood }: Storyboard, { width, horizon }: Stage): Layer {
  const count = mood === 'storm' ? 12 : mood === 'night' ? 3 : 6
  const all = Array.from({ length: count }, () => ({
    x: chance() * 1.3 - 0.15,
    y: horizon * between(chance, 0.16, mood === 'storm' ? 0.5 : 0.64),
    speed: between(chance, 0.004, 0.012),
    length: width * between(chance, 0.08, 0.17),
  }))
  const color = mood === 'storm' ? mix(palette.sky[0], palette.sky[1], 0.5) : mix(palette.sky[2], palette.light, 0.55)
  const opacity = mood === 'night' ? 0.05 : mood === 'storm' ? 0.22 : 0.13
  const drawn = all.map(({ length, ...cloud }) => ({
    ...cloud,
    length,
    canvas: drawCloud(chance, length, css(color, opacity * 2), css(color, 0)),
  }))
  return (context, seconds) => {
    for (const { x, y, speed, length, canvas } of drawn)
      context.drawImage(canvas, (x + speed * seconds) * width - length * 1.5, y - length * 0.6)
  }
}

/** A cloud of round puffs, thick in its middle. */
function drawCloud(chance: Chance, length: number, inner: string, outer: string): Canvas {
  const canvas = createCanvas(Math.ceil(length * 3), Math.ceil(length * 1.2))
  const context = canvas.getContext('2d')
  for (let puff = 0; puff < 10; puff++) {
    const away = between(chance, -1, 1)
    const [x, y] = [length * (1.5 + away), length * (0.6 + between(chance, -0.1, 0.06))]
    glow(context, x, y, length * (0.42 - Math.abs(away) * 0.24), inner, outer)
  }
  return canvas
}

/** A round light that fades to its edge. */
export function glow(context: SKRSContext2D, x: number, y: number, radius: number, inner: string, outer: string): void {
  const fill = context.createRadialGradient(x, y, 0, x, y, radius)
  fill.addColorStop(0, inner)
  fill.addColorStop(1, outer)
  context.fillStyle = fill
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
}
