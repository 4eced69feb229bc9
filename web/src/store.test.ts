import { expect, test } from 'vitest'
import { createStore } from './store.js'

test('A store notifies its watchers of every value until they stop watching', () => {
  const store = createStore('first')
  const seen: string[] = []
  const stop = store.watch(() => seen.push(store.get()))
  expect(store.get()).toBe('first')
  store.set('second')
  stop()
  store.set('third')
  expect(seen).toEqual(['second'])
  expect(store.get()).toBe('third')
})
