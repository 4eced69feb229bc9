import { describe, expect, test } from 'vitest'
import { bounds, readTableQuery } from './query.js'

const read = (text: string) => readTableQuery(new URLSearchParams(text))

describe('readTableQuery', () => {
  test('orders by the highest price by default', () => {
    expect(read('')).toEqual({
      view: 'all',
      sort: 'SHARE_PRICE',
      order: 'DESC',
      request: { sortBy: 'SHARE_PRICE', sortOrder: 'DESC' },
    })
  })

  test('passes each bound under its name in the API', () => {
    expect(
      read('sort=VOL&order=ASC&minPrice=0.5&maxHolders=9&minOwnerFollowers=3&launchedTo=2026-01-31').request,
    ).toEqual({
      sortBy: 'VOL',
      sortOrder: 'ASC',
      minPriceBnb: '0.5',
      maxHolder: 9,
      minOwnerXFollowersCount: 3,
      maxTgeAt: '2026-01-31T23:59:59.999Z',
    })
  })

  test('ignores invalid values', () => {
    const names = Object.keys(bounds)
    expect(read(names.map((name) => `${name}=x`).join('&')).request).toEqual(read('').request)
  })

  test('prefers a day of launch to whether it has launched', () => {
    expect(read('launched=1').request).toMatchObject({ minTgeAt: '0' })
    expect(read('launched=1&launchedFrom=2026-01-01').request).toMatchObject({ minTgeAt: '2026-01-01T00:00:00.000Z' })
  })

  test('takes the order of a view, unless the address names another', () => {
    expect(read('view=losers')).toMatchObject({ view: 'losers', sort: 'CHANGE_24H', order: 'ASC' })
    expect(read('view=losers').request).toMatchObject({ sortOrder: 'ASC', maxChange24h: -0.01 })
    expect(read('view=gainers').request).toMatchObject({ sortOrder: 'DESC', minChange24h: 0.01 })
    expect(read('view=losers&sort=VOL').request).not.toHaveProperty('maxChange24h')
    expect(read('view=losers&q=tide')).toMatchObject({ view: 'losers', sort: 'CHANGE_24H' })
    expect(read('view=losers&sort=VOL')).toMatchObject({ view: undefined, sort: 'VOL', order: 'DESC' })
    expect(read('q=tide')).toMatchObject({ view: undefined, sort: 'BEST_MATCH' })
    expect(read('view=nonsense').view).toBe('all')
  })
})
