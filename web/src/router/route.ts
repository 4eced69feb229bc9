import { createElement, type ReactNode } from 'react'
import type { LazyScreen } from './screen.js'

/** The names in a path: `/profile/:username` has `username`. */
type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type Values<Path extends string> = { readonly [Name in Names<Path>]: string }

/** The screen at an address, with the values of the path’s names. */
export interface Match {
  preload(): Promise<void>
  show(): ReactNode
}

/** Matches one address of the page; undefined for another address. */
export type Route = (pathname: string) => Match | undefined

export function route<const Path extends string>(path: Path, screen: LazyScreen<Values<Path>>): Route {
  return (pathname) => {
    const values = matchPath(path, pathname) as Values<Path> | undefined
    return values && { preload: screen.preload, show: () => createElement(screen.component(), values) }
  }
}

/** Returns the values of a path’s names, or undefined if the path does not match. Ignores a trailing slash. */
export function matchPath(path: string, pathname: string): Record<string, string> | undefined {
  const wanted = parts(path)
  const given = parts(pathname)
  if (wanted.length !== given.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith(':')) values[part.slice(1)] = decode(value)
    else if (part !== value) return undefined
  }
  return values
}

function parts(path: string): string[] {
  return path.split('/').filter((part) => part !== '')
}

// A stray percent sign is plain text.
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
