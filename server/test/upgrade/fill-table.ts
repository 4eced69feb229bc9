import type { ClientBase } from 'pg'

interface Column {
  readonly name: string
  readonly type: string
  readonly hasToBeGiven: boolean
  readonly isUnique: boolean
}

/** Numbers from here on are for rows that come later. Their ids are smaller, because bounds are above those that are there. */
export const FIRST_PROBED = 100_000_000

const COLUMNS = `
select attname as name, format_type(atttypid, null) as type, attnotnull and not atthasdef and attidentity = '' as "hasToBeGiven",
  exists (select from pg_index where indrelid = attrelid and indisunique and attnum = any(indkey)) as "isUnique"
from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
order by attnum`

/**
 * Fills a table with rows that have nothing to do with each other; checks that refuse them are dropped. Its indexes are made
 * anew afterwards, which takes a fraction of the time.
 */
export async function fillTable(client: ClientBase, table: string, rows: number): Promise<void> {
  // Before the indexes go, which say what is unique.
  const columns = await columnsOf(client, table)
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  // Neither foreign keys nor triggers, which would want rows elsewhere.
  await client.query('set session_replication_role = replica')
  for (;;) {
    try {
      await client.query(await insertInto(client, table, columns, 'generate_series(1, $1::int) n'), [rows])
      break
    } catch (error) {
      const { code, constraint } = error as { code?: string; constraint?: string }
      if (code !== '23514' || !constraint) throw error
      await client.query(`alter table ${table} drop constraint "${constraint}"`)
    }
  }
  for (const { text } of indexes) await client.query(text)
  await client.query(`analyze ${table}`)
}

/** A statement that inserts one row, with a number of its own. */
export async function insertOf(client: Pick<ClientBase, 'query'>, table: string): Promise<string> {
  return insertInto(client, table, await columnsOf(client, table), '(select $1::int as n) one')
}

async function columnsOf(client: Pick<ClientBase, 'query'>, table: string): Promise<readonly Column[]> {
  return (await client.query<Column>(COLUMNS, [table])).rows
}

async function insertInto(
  client: Pick<ClientBase, 'query'>,
  table: string,
  columns: readonly Column[],
  source: string,
): Promise<string> {
  const { rows: checks } = await client.query<{ text: string }>(
    `select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
    [table],
  )
  const given = columns.filter(({ hasToBeGiven, isUnique }) => hasToBeGiven || isUnique)
  const texts = checks.map(({ text }) => text)
  return `insert into ${table} (${given.map(({ name }) => `"${name}"`).join(', ')})
    select ${given.map((column) => fillerFor(column, texts)).join(', ')} from ${source} on conflict do nothing`
}

function fillerFor({ name, type, isUnique }: Column, checks: readonly string[]): string {
  const own = checks.find((text) => new RegExp(`\\b${name}\\b`).test(text)) ?? ''
  const word = /'(\w+)'::text/.exec(own)?.[1]
  switch (type) {
    case 'uuid':
      // Of years ago, as most ids are: tables are partitioned by their time.
      return `(case when n < ${FIRST_PROBED} then '018' else '000' end || substr(md5('${name}' || n), 4))::uuid`
    case 'text':
      // One of some words need not be unique: other columns of the index are.
      if (word && (!isUnique || own.includes('ANY'))) return `'${word}'`
      return own.includes('0x') ? `'0x' || lpad(to_hex(n), 40, '0')` : `'x' || n`
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
