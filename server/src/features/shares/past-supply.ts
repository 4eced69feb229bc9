import sql, { type Sql } from 'sql-template-tag'

/** How many shares of a subject there were at a time, in SQL: 0 before the first trade. */
export function supplyAt(subject: Sql, at: Sql): Sql {
  return sql`coalesce((
    select past.supply from trade past where past.subject = ${subject} and past.at <= ${at}
    order by past.at desc, past.position desc limit 1), 0)`
}

const DAY = sql`interval '1 day'`

/**
 * The supply that the price at a time is compared with, in SQL: the one a day before, or the one after the first trade if
 * that is younger. Null before the first trade.
 */
export function daySupply(subject: Sql, at: Sql): Sql {
  return sql`coalesce((
    select past.supply from trade past where past.subject = ${subject} and past.at <= ${at} - ${DAY}
    order by past.at desc, past.position desc limit 1), (
    select past.supply from trade past where past.subject = ${subject} order by past.at, past.position limit 1))`
}

/** When that supply has to be looked up again, in SQL: a day after the first trade of the last day. Null without one. */
export function dayMovesAt(subject: Sql, at: Sql): Sql {
  return sql`(
    select past.at + ${DAY} from trade past where past.subject = ${subject} and past.at > ${at} - ${DAY}
    order by past.at, past.position limit 1)`
}
