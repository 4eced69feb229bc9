import { type FunctionComponent, lazy } from 'react'

/** A screen whose program is loaded when it is first shown, or before. */
export interface LazyScreen<Props extends object> {
  /** Loads its program, so that it is then drawn at once. */
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
