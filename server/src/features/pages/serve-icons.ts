import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { introduction } from '@rookery/api'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.js'
import { StaticFile } from '../../foundation/static-file.js'
import { drawIcon, type IconShape, SHELL, wrapAsIco } from './draw-icon.js'
import { sendStatic } from './send-static.js'

const open = { access: { auth: 'none', limit: 'none' } } as const
const ICO_SIZE = 32
const KEPT = 'public, max-age=86400'

const ICONS: readonly { readonly name: string; readonly size: number; readonly shape: IconShape }[] = [
  { name: 'icon-192.png', size: 192, shape: 'rounded' },
  { name: 'icon-512.png', size: 512, shape: 'rounded' },
  { name: 'icon-maskable-512.png', size: 512, shape: 'maskable' },
  { name: 'apple-touch-icon.png', size: 180, shape: 'square' },
]

/** Serves the icons, which are drawn from favicon.svg when they are first asked for, and the manifest that lists them. */
export function serveIcons(app: FastifyInstance, config: Config, folder: string): void {
  const svg = readFileSync(join(folder, 'favicon.svg'), 'utf8')
  const serve = (path: string, type: string, draw: () => Promise<Buffer>) => {
    let drawn: Promise<Buffer> | undefined
    app.get(path, { config: open }, async (_, reply) => {
      drawn ??= draw()
      return reply
        .type(type)
        .header('Cache-Control', KEPT)
        .send(await drawn)
    })
  }
  for (const { name, size, shape } of ICONS) serve(`/${name}`, 'image/png', () => drawIcon(svg, size, shape))
  serve('/favicon.ico', 'image/x-icon', async () => wrapAsIco(await drawIcon(svg, ICO_SIZE, 'rounded'), ICO_SIZE))
  const manifest = new StaticFile('application/manifest+json', () => JSON.stringify(manifestOf(config)))
  app.get('/manifest.webmanifest', { config: open }, (request, reply) => sendStatic(request, reply, manifest))
}

/** Makes the site installable. Its colours are those of the light theme; the page itself names both. */
function manifestOf({ PLATFORM_NAME }: Config) {
  return {
    id: '/',
    name: PLATFORM_NAME,
    short_name: PLATFORM_NAME,
    description: `${introduction.title}.`,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#eff4f3',
    theme_color: SHELL,
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      ...ICONS.filter(({ shape }) => shape !== 'square').map(({ name, size, shape }) => ({
        src: `/${name}`,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose: shape === 'maskable' ? 'maskable' : 'any',
      })),
    ],
  }
}
