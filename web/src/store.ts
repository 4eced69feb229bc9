import { useSyncExternalStore } from 'react'

/** A value that the whole page shares, with change notifications. */
export interface Store<Value> {
  get(): Value
  set(next: Value): void
  /** Calls the watcher on every change, until the returned function is called. */
  watch(watcher: () => void): () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  const watchers = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set(next) {
      value = next
      for (const watcher of watchers) watcher()
    },
    watch(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}

/** The current value of a store; renders again when it changes. */
export function useStore<Value>({ watch, get }: Store<Value>): Value {
  return useSyncExternalStore(watch, get)
}
