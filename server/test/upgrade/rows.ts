import type { PoolClient } from 'pg'

// A database as text: what was added to the migrated schema, and every row. People can read it, and both engines can load
// it, whatever their versions.

/** Dumps all rows, and the partitions that the service created itself. */
export async function dumpRows(client: PoolClient): Promise<string> {
  await client.query("set timezone = 'UTC'")
  const parts = [await dumpPartitions(client)]
  for (const table of await listTables(client)) parts.push(await dumpTable(client, table))
  parts.push(await dumpSequences(client))
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** Replaces all rows of a database with the same migrations. */
export async function loadRows(client: PoolClient, text: string): Promise<void> {
  const tables = (await listTables(client)).map((name) => `"${name}"`)
  await client.query('begin')
  // Triggers already ran when the rows were first written, and the order of tables violates foreign keys.
  await client.query('set local session_replication_role = replica')
  await client.query("set local timezone = 'UTC'")
  await client.query(`truncate ${tables.join(', ')} cascade`)
  await client.query(text)
  await client.query('commit')
}

// Partitions by time depend on when a database was migrated, so their rows are dumped as those of the whole table.
const PARENT_BY_TIME = `
  select from pg_inherits time join pg_partitioned_table on partrelid = time.inhparent
  where time.inhrelid = c.oid and partstrat = 'r'`

async function listTables(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ relname: string }>(`
    select relname from pg_class c left join pg_partitioned_table on partrelid = c.oid
    where relnamespace = 'public'::regnamespace and relname <> 'migration'
      and (partstrat = 'r' or (relkind = 'r' and not exists (${PARENT_BY_TIME})))
    order by relname`)
  return rows.map(({ relname }) => relname)
}

async function dumpPartitions(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ statement: string }>(`
    select 1 as step, format('create table %I partition of %s %s;', relname, inhparent::regclass,
        pg_get_expr(relpartbound, c.oid)) as statement
      from pg_class c join pg_inherits on inhrelid = c.oid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relispartition and not exists (${PARENT_BY_TIME})
    union all
    select 2, pg_get_indexdef(indexrelid) || ';'
      from pg_index join pg_class c on c.oid = indrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relispartition
        and not exists (${PARENT_BY_TIME}) and not exists (select from pg_inherits where inhrelid = indexrelid)
    order by step, statement`)
  return rows.map(({ statement }) => statement).join('\n')
}

async function dumpTable(client: PoolClient, table: string): Promise<string> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [`"${table}"`],
  )
  const names = columns.map(({ name }) => name)
  const values = names.map((name) => `quote_nullable(${name}::text)`)
  const { rows } = await client.query<{ line: string }>(
    `select '(' || concat_ws(', ', ${values.join(', ')}) || ')' as line from "${table}"`,
  )
  if (rows.length === 0) return ''
  const lines = rows.map(({ line }) => line).sort()
  return `insert into "${table}" (${names.join(', ')}) overriding system value values\n${lines.join(',\n')};`
}

async function dumpSequences(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ statement: string }>(`
    select format('select setval(%L, %s);', quote_ident(sequencename), last_value) as statement
      from pg_sequences where schemaname = 'public' and last_value is not null order by sequencename`)
  return rows.map(({ statement }) => statement).join('\n')
}
