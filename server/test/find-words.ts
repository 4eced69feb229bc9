import type { Pool } from 'pg'

/** Every place in the database where one of the words stands, as text or as bytes: `table.column`, sorted, each once. */
export async function findWords(pool: Pool, words: readonly string[]): Promise<string[]> {
  const patterns = words.flatMap((word) => [like(word), like(Buffer.from(word).toString('hex'))])
  const { rows: tables } = await pool.query<{ name: string }>(`
    select quote_ident(relname) as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`)
  const found = new Set<string>()
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${name} t where t::text ilike any($1)`,
      [patterns],
    )
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row))
        if (words.some((word) => holds(JSON.stringify(value) ?? '', word))) found.add(`${name}.${column}`)
  }
  return [...found].sort()
}

function holds(text: string, word: string): boolean {
  const plain = text.toLowerCase()
  return plain.includes(word.toLowerCase()) || plain.includes(Buffer.from(word).toString('hex'))
}

function like(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
