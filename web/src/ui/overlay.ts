import { createStore } from '../store.js'

/** What lies over the screen: at most one thing at a time. */
export type Overlay =
  | { readonly kind: 'palette' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'engaged'; readonly id: string; readonly way: 'likes' | 'reposts' }

export const overlay = createStore<Overlay | undefined>(undefined)
