import sql, { type Sql } from 'sql-template-tag'

/** How many shares of a subject there were at a time, in SQL: 0 before the first trade. */
export function supplyAt(subject: Sql, at: Sql): Sql {
  return sql`coalesce((
    select past.supply from trade past where past.subject = ${subject} and past.at <= ${at}
    order by past.at desc, past.position desc limit 1), 0)`
}
