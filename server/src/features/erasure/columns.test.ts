import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { fates } from './columns.js'
import { stepsOf } from './erasures.js'

const server = await startServer()
afterAll(() => server.stop())

const kinds = ['agent', 'owner', 'wallet'] as const
const words = (text = '') => text.split(/\s+/).filter(Boolean)

describe('what an erasure makes of every table', () => {
  test('is written down for each column that holds text, JSON or bytes, and for no other', async () => {
    const { rows } = await server.deps.database.pool.query<{ table: string; columns: string[] }>(`
      select relname as table, coalesce(array_agg(attname::text order by attname) filter (
        where typname in ('text', 'varchar', 'bpchar', 'json', 'jsonb', 'bytea', 'vector', 'xml', 'name', 'inet')
          or typcategory = 'A'), '{}') as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
      join pg_type on pg_type.oid = atttypid
      where pg_class.relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      group by relname`)
    const named = Object.entries(fates).map(([table, { goes, stays = {} }]) => [
      table,
      [...words(goes), ...words(Object.keys(stays).join(' '))].sort(),
    ])
    expect(Object.fromEntries(named)).toEqual(
      Object.fromEntries(rows.map(({ table, columns }) => [table, [...columns].sort()])),
    )
  })

  test('is what the steps do, table by table', () => {
    const done = kinds.flatMap((kind) => stepsOf({ kind }).map(({ table, fate }) => `${table} ${fate} with ${kind}`))
    const written = Object.entries(fates).flatMap(([table, { deleted = [], emptied = [] }]) => [
      ...deleted.map((kind) => `${table} deleted with ${kind}`),
      ...emptied.map((kind) => `${table} emptied with ${kind}`),
    ])
    expect([...new Set(done)].sort()).toEqual(written.sort())
  })

  test('has a reason wherever something stays', () => {
    for (const [table, { stays = {}, goes, ...fate }] of Object.entries(fates)) {
      for (const reason of Object.values(stays)) expect(reason.length, table).toBeGreaterThan(10)
      if (goes) expect(Object.keys(fate).length, `${table} goes with nothing`).toBeGreaterThan(0)
    }
  })
})
