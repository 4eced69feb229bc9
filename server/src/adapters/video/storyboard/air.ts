import type { SKRSContext2D } from '@napi-rs/canvas'
import { between } from './chance.js'
import { css } from './colors.js'
import type { Layer, Stage } from './layers.js'
import { glow } from './sky.js'
import type { Storyboard, Weather } from './storyboard.js'

/** What moves through the air in front of everything. */
export function createAir(board: Storyboard, stage: Stage): Layer {
  return makers[board.weather](board, stage)
}

const makers: Readonly<Record<Weather, (board: Storyboard, stage: Stage) => Layer>> = {
  clear: () => () => {},

  rain({ chance, palette }, { width, height }) {
    const drops = Array.from({ length: 260 }, () => ({ x: chance(), y: chance(), near: 0.4 + chance() * 0.6 }))
    return (context, seconds) => {
      context.strokeStyle = css(palette.light, 0.28)
      for (const { x, y, near } of drops) {
        const top = ((y + seconds * near * 1.7) % 1.1) * height
        const left = ((x + 1 - seconds * near * 0.1) % 1) * width
        context.lineWidth = near * 1.6
        context.beginPath()
        context.moveTo(left, top)
        context.lineTo(left - near * 5, top + near * height * 0.05)
        context.stroke()
      }
    }
  },

  snow({ chance }, { width, height }) {
    const flakes = Array.from({ length: 220 }, () => ({ x: chance(), y: chance(), near: 0.25 + chance() ** 2 }))
    return (context, seconds) => {
      for (const { x, y, near } of flakes) {
        const left = ((x + 0.02 * Math.sin(seconds * 1.3 + x * 40) + 1) % 1) * width
        context.fillStyle = `rgba(255, 255, 255, ${0.35 + near * 0.4})`
        context.beginPath()
        context.arc(left, ((y + seconds * near * 0.12) % 1.05) * height, near * 3.4, 0, Math.PI * 2)
        context.fill()
      }
    }
  },

  fireflies({ chance, palette }, { width, height }) {
    const all = Array.from({ length: 46 }, () => ({
      x: chance(),
      y: between(chance, 0.35, 0.98),
      phase: chance() * 6.3,
    }))
    return (context, seconds) => {
      for (const { x, y, phase } of all) {
        const shine = Math.max(0, Math.sin(seconds * 1.6 + phase))
        const left = (x + 0.02 * Math.sin(seconds * 0.9 + phase * 3)) * width
        const top = (y - 0.012 * seconds + 0.015 * Math.sin(seconds + phase)) * height
        glow(context, left, top, height * 0.022, css(palette.light, 0.95 * shine), css(palette.light, 0))
      }
    }
  },

  birds({ chance, palette }, { width, height, horizon }) {
    const flock = Array.from({ length: 13 }, () => ({
      x: between(chance, -0.25, 0.4),
      y: between(chance, 0.14, 0.52),
      size: height * between(chance, 0.009, 0.021),
      speed: between(chance, 0.05, 0.085),
      phase: chance() * 6.3,
    }))
    return (context, seconds) => {
      context.strokeStyle = css([palette.land[0] * 0.5, palette.land[1] * 0.5, palette.land[2] * 0.5], 0.9)
      context.lineCap = 'round'
      for (const { x, y, size, speed, phase } of flock) {
        const top = y * horizon + Math.sin(seconds * 0.8 + phase) * 8
        bird(context, (x + speed * seconds) * width, top, size, Math.sin(seconds * 8 + phase))
      }
    }
  },
}

function bird(context: SKRSContext2D, x: number, y: number, size: number, flap: number): void {
  context.lineWidth = Math.max(1.5, size * 0.22)
  context.beginPath()
  context.moveTo(x - size * 1.5, y - size * (0.1 + 0.7 * flap))
  context.quadraticCurveTo(x - size * 0.6, y - size * 0.5, x, y)
  context.quadraticCurveTo(x + size * 0.6, y - size * 0.5, x + size * 1.5, y - size * (0.1 + 0.7 * flap))
  context.stroke()
}
