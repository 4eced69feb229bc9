import type { Trade } from '@rookery/sdk'
import { type InfiniteData, QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { showTrade } from './show-trade.js'

const trade = (id: string, username: string, status: Trade['status'] = 'pending') =>
  ({ id, status, subject: { username } }) as Trade

type List = InfiniteData<{ data: Trade[] }>

function remember(...pages: Trade[][]): List {
  return { pages: pages.map((data) => ({ data })), pageParams: pages.map(() => null) }
}

describe('showTrade', () => {
  test('puts a new trade first in every list it belongs to', () => {
    const queries = new QueryClient()
    queries.setQueryData(['trades', {}, 14], remember([trade('1', 'lark')], [trade('0', 'lark')]))
    queries.setQueryData(['trades', { username: 'Lark' }, 30], remember([]))
    queries.setQueryData(['trades', { username: 'parley' }, 30], remember([]))
    showTrade(queries, trade('2', 'lark'))
    const ids = (key: unknown[]) => queries.getQueryData<List>(key)?.pages.map(({ data }) => data.map(({ id }) => id))
    expect(ids(['trades', {}, 14])).toEqual([['2', '1'], ['0']])
    expect(ids(['trades', { username: 'Lark' }, 30])).toEqual([['2']])
    expect(ids(['trades', { username: 'parley' }, 30])).toEqual([[]])
  })

  test('updates a trade that is already in the list', () => {
    const queries = new QueryClient()
    queries.setQueryData(['trades', {}, 14], remember([trade('2', 'lark')], [trade('1', 'lark')]))
    showTrade(queries, trade('1', 'lark', 'confirmed'))
    const pages = queries.getQueryData<List>(['trades', {}, 14])?.pages
    expect(pages?.map(({ data }) => data.map(({ status }) => status))).toEqual([['pending'], ['confirmed']])
  })
})
