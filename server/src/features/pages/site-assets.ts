import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built web interface. */
export const WEB = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

// Icons, manifest, font, colours and theme are named once, in the document of the web app.
const COMMON =
  /<(?:meta charset|meta name="(?:viewport|color-scheme|theme-color)"|link rel="(?:icon|apple-touch-icon|manifest|preload)"|script src="\/theme\.js")[^>]*>(?:<\/script>)?/g

/** The tags in the head of every page of the site, for pages beside the web app. */
export function siteTags(): string {
  const path = join(WEB, 'index.html')
  if (!existsSync(path)) return ''
  return (readFileSync(path, 'utf8').match(COMMON) ?? []).join('\n    ')
}

/** The tag of a stylesheet by its source file. Its name has a hash, which the build of the web interface wrote down. */
export function styleTag(source: string): string {
  const path = join(WEB, '.vite/manifest.json')
  if (!existsSync(path)) return ''
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { readonly file: string }>
  const file = manifest[source]?.file
  return file === undefined ? '' : `<link rel="stylesheet" href="/${file}">`
}
