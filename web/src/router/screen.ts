import { type FunctionComponent, lazy } from 'react'

/** A screen whose code is loaded on first use or earlier. */
export interface LazyScreen<Props extends object> {
  /** Loads the code ahead, so that the screen is drawn at once. */
  preload(): Promise<void>
  component(): FunctionComponent<Props>
}

export function lazyScreen<Props extends object>(load: () => Promise<FunctionComponent<Props>>): LazyScreen<Props> {
  let loaded: FunctionComponent<Props> | undefined
  async function preload(): Promise<void> {
    loaded ??= await load()
  }
  const waiting = lazy(async () => ({ default: await load() })) as FunctionComponent<Props>
  return { preload, component: () => loaded ?? waiting }
}
