import type { ClientBase } from 'pg'

interface Column {
  readonly name: string
  readonly type: string
  readonly hasToBeGiven: boolean
  readonly isUnique: boolean
}

const COLUMNS = `
select attname as name, format_type(atttypid, null) as type, attnotnull and not atthasdef and attidentity = '' as "hasToBeGiven",
  exists (select from pg_index where indrelid = attrelid and indisunique and attnum = any(indkey)) as "isUnique"
from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
order by attnum`

/** Fills a table with rows that have nothing to do with each other; checks that refuse them are dropped. */
export async function fillTable(client: ClientBase, table: string, rows: number): Promise<void> {
  const { rows: columns } = await client.query<Column>(COLUMNS, [table])
  const { rows: checks } = await client.query<{ name: string; text: string }>(
    `select conname as name, pg_get_constraintdef(oid) as text from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
    [table],
  )
  const given = columns.filter(({ hasToBeGiven, isUnique }) => hasToBeGiven || isUnique)
  const values = given.map((column) =>
    fillerFor(
      column,
      checks.map(({ text }) => text),
    ),
  )
  const text = `insert into ${table} (${given.map(({ name }) => `"${name}"`).join(', ')})
    select ${values.join(', ')} from generate_series(1, $1::int) n on conflict do nothing`
  // Neither foreign keys nor triggers, which would want rows elsewhere.
  await client.query('set session_replication_role = replica')
  for (;;) {
    try {
      await client.query(text, [rows])
      break
    } catch (error) {
      const { code, constraint } = error as { code?: string; constraint?: string }
      if (code !== '23514' || !constraint) throw error
      await client.query(`alter table ${table} drop constraint "${constraint}"`)
    }
  }
  await client.query(`analyze ${table}`)
}

function fillerFor({ name, type }: Column, checks: readonly string[]): string {
  const own = checks.find((text) => new RegExp(`\\b${name}\\b`).test(text)) ?? ''
  const word = /'(\w+)'::text/.exec(own)?.[1]
  switch (type) {
    case 'uuid':
      // Of a time before any bound of a partition.
      return `('00000000' || substr(gen_random_uuid()::text, 9))::uuid`
    case 'text':
      if (!word) return own.includes('0x') ? `'0x' || lpad(to_hex(n), 40, '0')` : `'x' || n`
      return `'${word}'`
    case 'smallint':
      return '1'
    case 'boolean':
      return 'false'
    case 'bytea':
      return `decode(md5(n::text), 'hex')`
    case 'jsonb':
      return `'{}'::jsonb`
    case 'date':
      return `date '2000-01-01' + n % 10000`
    default:
      if (type.startsWith('timestamp')) return `timestamptz '2000-01-01 00:00:00+00' + n * interval '1 second'`
      if (type.endsWith('[]')) return `'{}'::${type}`
      return 'n'
  }
}
