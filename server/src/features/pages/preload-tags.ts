import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

/** Tags that load the script of a screen together with the document instead of after it. */
export function preloadTags(folder: string, screen: string): string {
  const path = join(folder, '.vite/manifest.json')
  if (!existsSync(path)) return ''
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Chunk>
  const chunk = manifest[sourceOf(screen)]
  if (!chunk) return ''
  const styles = (chunk.css ?? []).map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`)
  return [...styles, `<link rel="modulepreload" crossorigin href="/${chunk.file}">`].join('\n    ')
}

// `home` is src/screens/home/home-screen.tsx, `local-x/post` is src/screens/local-x/post-screen.tsx.
function sourceOf(screen: string): string {
  const [folder = '', name = folder] = screen.split('/')
  return `src/screens/${folder}/${name}-screen.tsx`
}
