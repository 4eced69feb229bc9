import type { Pool } from 'pg'

// What the background writes at times of its own: the order of events, jobs, and the times when agents were seen.
const LEFT_OUT = /^(event|event_log|event_draft|job|instance|agent_seen|webhook.*)$/

/** Counts the rows that statements write, table by table, from the first call on. */
export async function countWrites(
  pool: Pool,
): Promise<(work: () => Promise<unknown>) => Promise<Record<string, number>>> {
  await pool.query(`
    create table written (name text not null);
    create function note_written() returns trigger language plpgsql as $$
    begin
      insert into written values (tg_argv[0]);
      return null;
    end $$`)
  const { rows: tables } = await pool.query<{ name: string }>(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname <> 'written'`)
  for (const { name } of tables.filter(({ name }) => !LEFT_OUT.test(name)))
    await pool.query(`
      create trigger note_written after insert or update or delete on ${name} for each row execute function note_written('${name}')`)
  return async (work) => {
    await pool.query('delete from written')
    await work()
    const { rows } = await pool.query<{ name: string; n: number }>(
      'select name, count(*)::int as n from written group by name order by name',
    )
    return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
  }
}
