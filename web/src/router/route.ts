import type { ReactNode } from 'react'

/** The names in a path: `/profile/:username` has `username`. */
type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type Values<Path extends string> = { readonly [Name in Names<Path>]: string }

/** One address of the page: gives what to show there, or undefined for another address. */
export type Route = (pathname: string) => ReactNode | undefined

/** Pairs a path with what is shown there. */
export function route<const Path extends string>(path: Path, show: (values: Values<Path>) => ReactNode): Route {
  return (pathname) => {
    const values = matchPath(path, pathname)
    return values && show(values as Values<Path>)
  }
}

/** The values of a path’s names, or undefined when the path does not fit. A slash at the end makes no difference. */
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

// A stray percent sign is text like any other.
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
